#!/usr/bin/env bash
# An archive of the program for one target: target/archives/ludex-VERSION-TARGET.tar.gz and its checksum.
# The processor baseline comes from RUSTFLAGS; without it the archive fits x86-64-v2 (or any arm64).
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
case "$target" in
x86_64-*) export RUSTFLAGS=${RUSTFLAGS:--C target-cpu=x86-64-v2} ;;
*) export RUSTFLAGS=${RUSTFLAGS:-} ;;
esac
cargo build --profile dist --target "$target" -p ludex
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=ludex-$version-$target
folder=target/archives/$name
rm -rf "$folder" && mkdir -p "$folder"
cp "target/$target/dist/ludex" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE CITATION.cff "$folder"
# Files in the order of their names, without owners and times: the same sources give the same archive.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C target/archives -czf "target/archives/$name.tar.gz" "$name" 2>/dev/null ||
    tar -C target/archives -czf "target/archives/$name.tar.gz" "$name"
rm -rf "$folder"
(cd target/archives && (sha256sum "$name.tar.gz" || shasum -a 256 "$name.tar.gz") >"$name.tar.gz.sha256")
ls -l target/archives
