#!/usr/bin/env bash
# The packages of all crates (target/package/*.crate), and a check that they hold all that they need: they are unpacked into an
# empty folder, without the project beside them, and `ludex` is built there from nothing but the packages.
# `build/packages.sh check` type-checks instead of building; `build/packages.sh list` only packs.
set -euo pipefail
cd "$(dirname "$0")/.."
how=${1:-build}
cargo package --workspace --exclude ludex-python --no-verify --allow-dirty --offline ||
    cargo package --workspace --exclude ludex-python --no-verify --allow-dirty
packages=${CARGO_TARGET_DIR:-$PWD/target}/package
[ "$how" = list ] && exit
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for file in "$packages"/*.crate; do tar -C "$place" -xzf "$file"; done
cp Cargo.lock "$place"
{
    echo '[workspace]'
    echo 'resolver = "3"'
    echo 'members = ["ludex*"]'
    echo '[patch.crates-io]'
    for folder in "$place"/ludex*/; do
        name=$(basename "$folder")
        echo "${name%-[0-9]*} = { path = \"$name\" }"
    done
} >"$place/Cargo.toml"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/packages}
cd "$place"
case "$how" in
check) cargo check --offline -p ludex ;;
*)
    cargo install --offline --locked --path "$(echo ludex-[0-9]*)" --root "$place/root"
    "$place/root/bin/ludex" --version
    (cd "$place" && "$place/root/bin/ludex" show lud:hex >/dev/null && "$place/root/bin/ludex" show kif:monty-hall >/dev/null)
    ;;
esac
