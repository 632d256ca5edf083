//! Compiles the C half.

fn main() {
    cc::Build::new().file("bench.c").opt_level(2).std("c99").warnings(true).extra_warnings(true).compile("tabia_h");
    println!("cargo:rerun-if-changed=bench.c");
    println!("cargo:rerun-if-changed=../tabia.h");
}
