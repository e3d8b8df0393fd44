use limiter::limit;

#[limit(requests = 5, window = "1s", key = "user")]
fn string(user: u32) -> Option<u32> {
    Some(user)
}

#[limit(requests = 5, window = "1s", key = ("self.id"))]
fn string_of_a_field() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = "x-api-key")]
fn string_of_no_expression() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = 7)]
fn number() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = -1.5)]
fn negative_number() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = 'u')]
fn character() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = true)]
fn boolean() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = b"user")]
fn bytes() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = &"user")]
fn reference(user: u32) -> Option<u32> {
    Some(user)
}

#[limit(requests = 5, window = "1s", key = ("user", (1, [2u8, 3])))]
fn tuple() -> Option<()> {
    Some(())
}

#[limit(requests = 5, window = "1s", key = ())]
fn unit() -> Option<()> {
    Some(())
}

macro_rules! by {
    ($key:expr) => {
        #[limit(requests = 5, window = "1s", key = $key)]
        fn in_a_macro() -> Option<()> {
            Some(())
        }
    };
}
by!("user");

fn main() {}
