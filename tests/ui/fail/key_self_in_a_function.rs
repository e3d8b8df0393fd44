use limiter::limit;

#[limit(requests = 5, window = "1s", key = self.id)]
fn f(id: u32) -> Option<u32> {
    Some(id)
}

fn main() {}
