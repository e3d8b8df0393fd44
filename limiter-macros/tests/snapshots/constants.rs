unsafe extern "C" fn call<const N: u64>(id: u32) -> Option<u8>
where
    [(); { N as usize }]:,
{
    None
}
compile_error! {
    "`N` is a generic parameter, and all instances of this function share one limit, which cannot differ between them"
}
