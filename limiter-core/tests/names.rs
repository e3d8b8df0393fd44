//! One name for two limits that allow different things is an error that names both places.

use limiter_core::{FixedWindow, Keyed, Limiter, Quota, TokenBucket, registry};
use std::panic::{AssertUnwindSafe, catch_unwind};

const MAIL_LINE: u32 = line!() + 1;
static MAIL: Limiter = Limiter::named("mail", Quota::per_minute(30));
static MAIL_TOO: Keyed<FixedWindow, 8> = Keyed::named("mail", Quota::per_minute(30));
const SLOWER_MAIL_LINE: u32 = line!() + 1;
static SLOWER_MAIL: Limiter = Limiter::named("mail", Quota::per_minute(10));
static CALLS: Limiter = Limiter::named("calls", Quota::per_minute(30));
static BURSTS_OF_CALLS: Limiter<TokenBucket> = Limiter::named("calls", Quota::per_minute(30));
static NAMELESS: [Limiter; 2] = [Limiter::new(Quota::per_minute(1)), Limiter::new(Quota::per_minute(2))];

/// What registering says, where debug assertions make it say something.
fn registering(register: impl FnOnce()) -> String {
    match catch_unwind(AssertUnwindSafe(register)) {
        Ok(()) => String::new(),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

#[test]
fn the_second_limit_of_a_name_must_allow_the_same() {
    MAIL.register();
    MAIL_TOO.register();
    NAMELESS.iter().for_each(Limiter::register);
    assert_eq!(registry::check_names(), Ok(()));

    let said = registering(|| SLOWER_MAIL.register());
    let error = registry::check_names().unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "two limits have the name `mail` and allow different things: FixedWindow 30 per 1m at {file}:{MAIL_LINE}; \
             FixedWindow 10 per 1m at {file}:{SLOWER_MAIL_LINE}; give one of them another name",
            file = file!(),
        )
    );
    assert_eq!(said, if cfg!(debug_assertions) { error } else { String::new() });

    // It is listed all the same, and said once.
    assert_eq!(registering(|| SLOWER_MAIL.register()), "");
    assert_eq!(registry::limits().filter(|limit| limit.name == "mail").count(), 3);

    CALLS.register();
    let said = registering(|| BURSTS_OF_CALLS.register());
    assert_eq!(said.contains("TokenBucket 30 per 1m at"), cfg!(debug_assertions), "{said}");
}
