-- A company: offices, employees and whom they report to, projects and devices.

CREATE TABLE office (
    office_id INTEGER PRIMARY KEY,
    city TEXT NOT NULL,
    country TEXT,
    floor_area INTEGER,
    opening_year INTEGER
);

CREATE TABLE employee (
    emp_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    job_title TEXT,
    salary INTEGER,
    hire_year INTEGER,
    office_id INTEGER,
    manager_id INTEGER,
    FOREIGN KEY (office_id) REFERENCES office (office_id),
    FOREIGN KEY (manager_id) REFERENCES employee (emp_id)
);

CREATE TABLE project (
    project_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    budget INTEGER,
    start_year INTEGER,
    status TEXT
);

CREATE TABLE assignment (
    emp_id INTEGER,
    project_id INTEGER,
    hours INTEGER,
    PRIMARY KEY (emp_id, project_id),
    FOREIGN KEY (emp_id) REFERENCES employee (emp_id),
    FOREIGN KEY (project_id) REFERENCES project (project_id)
);

CREATE TABLE device (
    device_id INTEGER PRIMARY KEY,
    type TEXT,
    brand TEXT,
    price INTEGER,
    emp_id INTEGER,
    purchase_year INTEGER,
    FOREIGN KEY (emp_id) REFERENCES employee (emp_id)
);

INSERT INTO office VALUES
    (1, 'London', 'United Kingdom', 1800, 1995),
    (2, 'Berlin', 'Germany', 1250, 2008),
    (3, 'Lyon', 'France', 640, 2015),
    (4, 'Leeds', 'United Kingdom', 900, 2001),
    (5, 'Munich', 'Germany', 480, 2019),
    (6, 'Porto', 'Portugal', 300, 2021);

INSERT INTO employee VALUES
    (1, 'Alan Frost', 'director', 118000, 2001, 1, NULL),
    (2, 'Beata Nowak', 'team lead', 82000, 2007, 1, 1),
    (3, 'Chris Vane', 'team lead', 79500, 2010, 2, 1),
    (4, 'Dana Ortiz', 'engineer', 61000, 2015, 1, 2),
    (5, 'Elif Kaya', 'engineer', 64500, 2013, 2, 3),
    (6, 'Fred Nolan', 'analyst', 48000, 2019, 4, 2),
    (7, 'Gwen Harris', 'engineer', 58200, 2018, 4, 2),
    (8, 'Henry Cho', 'designer', 52700, 2017, 2, 3),
    (9, 'Ida Holm', 'analyst', 46500, 2021, 3, 3),
    (10, 'Jules Perrin', 'designer', 51000, 2016, 3, 3),
    (11, 'Kofi Mensah', 'engineer', 83500, 2011, 1, 2),
    (12, 'Lena Schulz', 'accountant', 55400, 2009, 5, 1),
    (13, 'Matt Dyer', 'engineer', 59900, 2020, 1, 4),
    (14, 'Nina Falk', 'analyst', 45200, 2022, 5, 12),
    (15, 'Omar Haddad', 'engineer', 67800, 2012, 2, 5),
    (16, 'Paula Reis', 'designer', 49800, 2020, 4, 4),
    (17, 'Rob Kerr', 'accountant', 53000, 2014, 1, 1),
    (18, 'Sara Lunde', 'engineer', 62300, 2016, 3, 5);

INSERT INTO project VALUES
    (1, 'Atlas', 240000, 2019, 'finished'),
    (2, 'Beacon', 95000, 2021, 'active'),
    (3, 'Cobalt', 410000, 2020, 'active'),
    (4, 'Dune', 60000, 2022, 'planned'),
    (5, 'Echo', 130000, 2018, 'finished'),
    (6, 'Falcon', 275000, 2022, 'active'),
    (7, 'Garnet', 45000, 2023, 'planned'),
    (8, 'Harbour', 180000, 2017, 'cancelled');

INSERT INTO assignment VALUES
    (2, 5, 350),
    (2, 6, 200),
    (3, 1, 340),
    (3, 3, 60),
    (3, 5, 340),
    (4, 3, 360),
    (4, 5, 160),
    (4, 6, 240),
    (5, 2, 170),
    (5, 3, 20),
    (5, 6, 200),
    (6, 2, 230),
    (6, 3, 160),
    (6, 6, 190),
    (7, 3, 40),
    (7, 4, 290),
    (7, 6, 180),
    (8, 1, 260),
    (8, 5, 210),
    (9, 6, 280),
    (11, 1, 130),
    (11, 2, 270),
    (11, 3, 90),
    (11, 5, 120),
    (11, 6, 30),
    (13, 5, 140),
    (15, 3, 120),
    (15, 5, 210),
    (15, 6, 90),
    (18, 2, 20);

INSERT INTO device VALUES
    (1, 'tablet', 'Pear', 1890, 5, 2021),
    (2, 'tablet', 'Delta', 450, 13, 2021),
    (3, 'tablet', 'Nokira', 990, 3, 2021),
    (4, 'laptop', 'Pear', 1499, 4, 2017),
    (5, 'laptop', 'Lenova', 1890, 17, 2021),
    (6, 'phone', 'Delta', 1890, 17, 2020),
    (7, 'laptop', 'Lenova', 450, 1, 2018),
    (8, 'phone', 'Nokira', 1499, 4, 2022),
    (9, 'phone', 'Pear', 680, 11, 2017),
    (10, 'tablet', 'Delta', 320, 2, 2023),
    (11, 'laptop', 'Delta', 680, 13, 2020),
    (12, 'laptop', 'Lenova', 450, 7, 2020),
    (13, 'tablet', 'Delta', 990, 4, 2017),
    (14, 'tablet', 'Delta', 1499, 15, 2021),
    (15, 'laptop', 'Nokira', 1250, 12, 2023),
    (16, 'phone', 'Nokira', 450, 2, 2018),
    (17, 'laptop', 'Nokira', 320, 4, 2018),
    (18, 'laptop', 'Lenova', 1499, 11, 2023),
    (19, 'tablet', 'Lenova', 1499, 17, 2023),
    (20, 'laptop', 'Delta', 680, 17, 2020),
    (21, 'laptop', 'Lenova', 680, 9, 2017),
    (22, 'phone', 'Nokira', 450, 9, 2017),
    (23, 'tablet', 'Pear', 1890, 11, 2021),
    (24, 'phone', 'Pear', 1890, 9, 2022);
