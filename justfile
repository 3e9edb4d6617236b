# Every recipe can be typed by hand as well.
default: check

# What CI runs; run it before pushing.
check: fmt lint test doc

fmt:
    cargo fmt --all --check

lint:
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings

test:
    cargo test --workspace --all-features --locked

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked

# Dependencies and spelling, with cargo-deny and typos.
audit:
    cargo deny --locked check
    typos

# What would be published.
package:
    cargo package --workspace --locked --no-verify

# Look at changed snapshots one by one.
review:
    cargo insta review

# The embedded corpus at a glance.
stats:
    cargo run --release --locked -- data stats default

# Write the embedded corpus anew, after a change to what it is generated from.
corpus:
    cargo run --release --locked -p patois-default-corpus

# The report about idioms in Chromium, which must be there, as must node.
browser:
    cd tests/browser && npm ci --no-audit --no-fund
    cargo test -p patois-cli --test it -- --ignored browser_

# The Python package: a wheel, its tests, its types, the notebooks.
python:
    .ci/python

# A short run of every fuzz target.
fuzz seconds="20":
    fuzz/run {{seconds}}

bench *args:
    cargo bench --workspace {{args}}
