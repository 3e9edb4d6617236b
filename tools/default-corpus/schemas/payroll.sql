-- A payroll with short column names: departments, employees, projects.

CREATE TABLE dept (
    dept_no INTEGER PRIMARY KEY,
    dept_nm TEXT NOT NULL,
    loc TEXT,
    bdgt INTEGER
);

CREATE TABLE emp (
    emp_no INTEGER PRIMARY KEY,
    emp_nm TEXT NOT NULL,
    job TEXT,
    sal INTEGER,
    hire_dt DATE,
    comm INTEGER,
    dept_no INTEGER,
    mgr_no INTEGER,
    FOREIGN KEY (dept_no) REFERENCES dept (dept_no),
    FOREIGN KEY (mgr_no) REFERENCES emp (emp_no)
);

CREATE TABLE proj (
    proj_no INTEGER PRIMARY KEY,
    proj_nm TEXT NOT NULL,
    dept_no INTEGER,
    proj_cost INTEGER,
    start_dt DATE,
    end_dt DATE,
    FOREIGN KEY (dept_no) REFERENCES dept (dept_no)
);

CREATE TABLE emp_proj (
    emp_no INTEGER,
    proj_no INTEGER,
    hrs INTEGER,
    PRIMARY KEY (emp_no, proj_no),
    FOREIGN KEY (emp_no) REFERENCES emp (emp_no),
    FOREIGN KEY (proj_no) REFERENCES proj (proj_no)
);

INSERT INTO dept VALUES
    (10, 'Accounting', 'Vienna', 180000),
    (20, 'Research', 'Zurich', 520000),
    (30, 'Sales', 'Hamburg', 310000),
    (40, 'Operations', 'Ghent', 260000),
    (50, 'Legal', 'Vienna', 90000);

INSERT INTO emp VALUES
    (100, 'Grace Murray', 'clerk', 90000, '2021-11-07', 900, 30, NULL),
    (101, 'Ravi Clarke', 'engineer', 55500, '2020-05-17', 900, 10, 100),
    (102, 'Tom Becker', 'clerk', 63500, '2013-02-01', 500, 30, 101),
    (103, 'Kevin Wood', 'clerk', 95000, '2007-07-16', 500, 30, 101),
    (104, 'Peter Ellis', 'salesman', 67500, '2020-08-14', 1500, 30, 100),
    (105, 'Sam Bauer', 'manager', 88500, '2017-04-15', 2200, 30, 100),
    (106, 'Ruth Wood', 'engineer', 46000, '2020-12-09', 2200, 30, 100),
    (107, 'Tina Schmidt', 'salesman', 82000, '2005-06-23', 2200, 20, 103),
    (108, 'Emma Fischer', 'manager', 73500, '2014-09-07', NULL, 30, 104),
    (109, 'Fiona Silva', 'salesman', 60500, '2008-07-04', NULL, 20, 102),
    (110, 'Victor Doyle', 'clerk', 28000, '2021-05-17', 900, 20, 100),
    (111, 'George Brown', 'clerk', 46500, '2011-01-08', 900, 40, 104),
    (112, 'Carlos Green', 'manager', 51000, '2012-04-20', 900, 20, 105),
    (113, 'Julia Bauer', 'manager', 32000, '2022-10-24', 500, 30, 105),
    (114, 'Bella Weber', 'analyst', 74500, '2020-07-08', 1500, 30, 104),
    (115, 'Uma Petit', 'manager', 90000, '2006-04-21', 1500, 30, 102),
    (116, 'David Quinn', 'clerk', 61500, '2008-03-07', NULL, 30, 101),
    (117, 'Ines Turner', 'analyst', 61000, '2020-08-05', 2200, 30, 100),
    (118, 'Hugo Moreau', 'clerk', 60500, '2016-09-14', 1500, 20, 103),
    (119, 'Karen Silva', 'analyst', 39500, '2009-12-06', 500, 10, 105),
    (120, 'Leo Murray', 'analyst', 73000, '2022-12-02', 2200, 30, 103),
    (121, 'Eric Hansen', 'manager', 88000, '2015-02-28', 900, 10, 105);

INSERT INTO proj VALUES
    (1, 'Apollo', 10, 40000, '2022-02-28', NULL),
    (2, 'Borealis', 10, 115000, '2019-03-13', '2023-01-15'),
    (3, 'Cascade', 40, 185000, '2019-05-03', NULL),
    (4, 'Delta', 20, 20000, '2021-02-28', '2023-07-13'),
    (5, 'Ember', 30, 130000, '2021-01-09', '2023-05-19'),
    (6, 'Fjord', 20, 185000, '2022-01-21', '2023-08-11'),
    (7, 'Glacier', 40, 100000, '2022-04-26', '2023-07-28');

INSERT INTO emp_proj VALUES
    (101, 4, 140),
    (103, 2, 40),
    (104, 1, 130),
    (104, 2, 20),
    (105, 6, 10),
    (105, 5, 40),
    (105, 1, 110),
    (106, 4, 40),
    (106, 6, 150),
    (109, 6, 60),
    (110, 6, 20),
    (110, 2, 100),
    (110, 4, 60),
    (111, 2, 80),
    (111, 3, 90),
    (111, 5, 140),
    (112, 1, 100),
    (112, 2, 110),
    (113, 2, 150),
    (113, 3, 50),
    (113, 4, 90),
    (115, 1, 90),
    (117, 4, 110),
    (117, 3, 50),
    (118, 6, 30),
    (118, 2, 130);
