//! Rows of cells.

use super::{check_bytes, check_error, imported, open, shown};

#[track_caller]
fn check(content: &str, expected: &[&str], notes: &[&str]) {
    check_bytes("pets.csv", content.as_bytes(), expected, notes);
}

#[test]
fn cells_are_parted_by_what_parts_them() {
    let expected = ["name TEXT KEY, age INTEGER", "Rex|3", "Tom|9"];
    check("name,age\nRex,3\nTom,9\n", &expected, &[]);
    check("name;age\r\nRex;3\r\nTom;9", &expected, &[]);
    check("name\tage\nRex\t3\nTom\t9\n", &expected, &[]);
    check("name|age\nRex|3\nTom|9\n", &expected, &[]);
    check("\n\nname, age\nRex, 3\n\nTom, 9\n\n", &expected, &[]);
    let tabs = "name\tage\nRex\t3\nTom\t9\n";
    check_bytes("pets.tsv", tabs.as_bytes(), &expected, &[]);
    let title = "1 row before the table left out";
    check("sep=;\nname;age\nRex;3\nTom;9\n", &expected, &[title]);
    check("All pets\n\nname,age\nRex,3\nTom,9\n", &expected, &[title]);
}

#[test]
fn quoted_cells_have_marks_and_lines() {
    check(
        "name,note\n\"Rex, \"\"the\"\" dog\",\"two\nlines\"\n",
        &["name TEXT KEY, note TEXT", "Rex, \"the\" dog|two\nlines"],
        &[],
    );
}

#[test]
fn encodings_are_told() {
    let expected = ["name TEXT KEY, age INTEGER", "Käthe|3"];
    check("\u{feff}name,age\nKäthe,3\n", &expected, &[]);
    let windows = "1 cell not in UTF-8, read as Windows-1252";
    check_bytes("pets.csv", b"name,age\nK\xe4the,3\n", &expected, &[windows]);
    let utf16 = |to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let text = "\u{feff}name,age\nKäthe,3\n";
        text.encode_utf16().flat_map(to).collect()
    };
    check_bytes("pets.csv", &utf16(u16::to_le_bytes), &expected, &[]);
    check_bytes("pets.csv", &utf16(u16::to_be_bytes), &expected, &[]);
    check_bytes(
        "pets.csv",
        b"name,age\nK\0arl,3\nRex,4\n",
        &["name TEXT KEY, age INTEGER", "Karl|3", "Rex|4"],
        &["1 cell with NUL characters, which are left out"],
    );
}

#[test]
fn names_are_made_where_there_are_none() {
    check(
        "Rex,3\nTom,9\n",
        &["column1 TEXT KEY, column2 INTEGER", "Rex|3", "Tom|9"],
        &["the first row looks like values, so columns are called `column1` to `column2`"],
    );
    check(
        "id,name,Name,,name\n1,a,b,c,d\n",
        &[
            "id INTEGER KEY, name TEXT, Name_2 TEXT, column4 TEXT, name_3 TEXT",
            "1|a|b|c|d",
        ],
        &[],
    );
    check(
        "mpg,cyl\nMazda,21,6\nDatsun,22,4\n",
        &[
            "column1 TEXT KEY, mpg INTEGER, cyl INTEGER",
            "Mazda|21|6",
            "Datsun|22|4",
        ],
        &["the first column has no name and is called `column1`"],
    );
    check("name,age\n", &["name TEXT, age TEXT"], &[]);
    check("name\nRex\n", &["name TEXT KEY", "Rex"], &[]);
}

#[test]
fn rows_may_be_long_and_short() {
    check(
        "id,a,b\n1,x,y\n2,x\n3,x,y,z\n4\n5,x,y,\n",
        &[
            "id INTEGER KEY, a TEXT, b TEXT",
            "1|x|y",
            "2|x|NULL",
            "3|x|y",
            "4|NULL|NULL",
            "5|x|y",
        ],
        &[
            "1 row has more cells than there are columns, and what is beyond is left out, first in line 4",
            "2 rows have fewer cells than there are columns, and what is missing is NULL, first in line 3",
        ],
    );
}

#[test]
fn types_are_those_of_whole_columns() {
    check(
        "n,r,b,d,t,zip,e\n1,1.5,true,2020-12-31,2020-12-31 14:05,00123,\n-2,2,false,2021-01-01,2021-01-01 00:00,12345,\n",
        &[
            "n INTEGER KEY, r REAL, b BOOLEAN, d DATE, t DATETIME, zip TEXT, e TEXT",
            "-2|2|0|2021-01-01|2021-01-01 00:00|12345|NULL",
            "1|1.5|1|2020-12-31|2020-12-31 14:05|00123|NULL",
        ],
        &["`true` and `false` are now 1 and 0: `b`"],
    );
}

#[test]
fn marked_numbers_and_dates_are_noted() {
    check(
        "x,us,eu,money,share,dmy,mdy,either\n\
         a,\"1,234.5\",\"1.234,5\",$5,5%,31.12.2020,12/31/2020,1/2/2020\n\
         a,7,\"0,5\",\"$1,000\",7%,1.2.2020,1/2/2020,3/4/2020\n",
        &[
            "x TEXT, us REAL, eu REAL, money INTEGER, share INTEGER, dmy DATE, mdy DATE, either TEXT",
            "a|1234.5|1234.5|5|5|2020-12-31|2020-12-31|1/2/2020",
            "a|7|0.5|1000|7|2020-02-01|2020-01-02|3/4/2020",
        ],
        &[
            "numbers written like `1,234.5` are now `1234.5`: `us`",
            "numbers written like `1.234,5` are now `1234.5`: `eu`",
            "signs of currencies or percent are taken off numbers: `money`, `share`",
            "dates are now written like `2020-12-31`: `dmy`, `mdy`",
            "dates may have the day or the month first, and stay as they are: `either`",
        ],
    );
    check(
        "x;price\na;1,234\na;2,345\n",
        &["x TEXT, price REAL", "a|1.234", "a|2.345"],
        &["numbers written like `1.234,5` are now `1234.5`: `price`"],
    );
}

#[test]
fn words_for_nothing_are_null() {
    check(
        "name,age,country\nRex,NA,NA\nn/a,3,DE\nNULL,,FR\n",
        &[
            "name TEXT, age INTEGER, country TEXT",
            "Rex|NULL|NA",
            "NULL|3|DE",
            "NULL|NULL|FR",
        ],
        &["3 cells say `NA`, `NULL` or the like, which is now NULL: `name`, `age`"],
    );
}

#[test]
fn tables_have_names_of_their_own() {
    let pets: &[u8] = b"name\nRex\n";
    let imported = imported(&[("Pets 1.csv", pets), ("pets-1.tsv", pets)]).unwrap();
    let names: Vec<&str> = imported.tables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["pets_1", "pets_1_2"]);
    assert_eq!(shown(&open(&imported), "pets_1_2"), "name TEXT KEY\nRex");
}

#[test]
fn there_are_as_many_columns_as_sqlite_has() {
    let table = |n_columns: usize| {
        let names: Vec<String> = (0..n_columns).map(|it| format!("c{it}")).collect();
        let values = vec!["1"; n_columns].join(",");
        format!("{}\n{values}\n", names.join(","))
    };
    let wide = imported(&[("wide.csv", table(2000).as_bytes())]).unwrap();
    let row = open(&wide).query("SELECT c0, c1999 FROM wide", &crate::QueryLimits::default());
    assert_eq!(row.unwrap().rows.concat().len(), 2);
    check_error(
        "wide.csv",
        table(5000).as_bytes(),
        "`wide.csv`: expected at most 2000 columns, as many as SQLite has, found 5000",
    );
}
