use limiter::limit;

struct Service {
    id: u32,
}

macro_rules! limited {
    ($self:ident) => {
        #[limit(requests = 5, window = "1s", key = self.id)]
        fn f(&$self) -> Option<u32> {
            Some($self.id)
        }
    };
}

impl Service {
    limited!(self);
}

fn main() {}
