use limiter::limit;

#[limit(requests = 5, window = "1s", key = name)]
async fn f(name: &str) -> Result<usize, std::io::Error> {
    let length: usize = name;
    name.lenght()
}

fn main() {}
