use limiter::limit;
use std::rc::Rc;

fn spawn(_: impl Future + Send) {}

#[limit(requests = 5, window = "1s", key = name)]
async fn f(name: Rc<str>) -> Option<usize> {
    std::future::ready(()).await;
    Some(name.len())
}

fn main() {
    spawn(f("name".into()));
}
