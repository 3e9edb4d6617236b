//! Round trips over real programs.
//!
//! Needs the datasets: skipped where `PATOIS_DATA` is not set.

use std::path::PathBuf;

use patois_languages::python::Python;
use patois_syntax::Language;
use patois_syntax::laws::check_language;

#[test]
fn hearthstone_programs_come_back() {
    let Some(folder) = std::env::var_os("PATOIS_DATA") else {
        eprintln!("skipped: PATOIS_DATA is not set");
        return;
    };
    let folder = PathBuf::from(folder).join("hearthstone");
    let mut n_programs = 0;
    for name in ["train_hs.out", "dev_hs.out"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for (line, program) in text.lines().enumerate() {
            if (name, line) == ("train_hs.out", 296) {
                assert!(Python.parse(&program.replace('§', "\n")).is_err());
                continue;
            }
            check_language(&Python, [&*program.replace('§', "\n")]);
            n_programs += 1;
        }
    }
    assert_eq!(n_programs, 598);
}
