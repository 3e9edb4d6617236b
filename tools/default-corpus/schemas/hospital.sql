-- A hospital: wards, doctors, patients and their appointments.

CREATE TABLE ward (
    ward_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    floor INTEGER,
    num_beds INTEGER
);

CREATE TABLE doctor (
    doctor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT,
    years_of_service INTEGER,
    salary INTEGER,
    phone TEXT
);

CREATE TABLE patient (
    patient_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    city TEXT,
    blood_type TEXT,
    phone TEXT,
    ward_id INTEGER,
    FOREIGN KEY (ward_id) REFERENCES ward (ward_id)
);

CREATE TABLE appointment (
    appointment_id INTEGER PRIMARY KEY,
    patient_id INTEGER,
    doctor_id INTEGER,
    appointment_date DATE,
    reason TEXT,
    fee INTEGER,
    FOREIGN KEY (patient_id) REFERENCES patient (patient_id),
    FOREIGN KEY (doctor_id) REFERENCES doctor (doctor_id)
);

INSERT INTO ward VALUES
    (1, 'North Ward', 1, 24),
    (2, 'South Ward', 1, 30),
    (3, 'Garden Ward', 2, 18),
    (4, 'Lake Ward', 3, 12),
    (5, 'Tower Ward', 4, 8);

INSERT INTO doctor VALUES
    (1, 'Dr Helen Bauer', 'surgery', 4, 135000, NULL),
    (2, 'Dr Sam Vance', 'cardiology', 4, 127000, '0482490 533'),
    (3, 'Dr Uma Young', 'surgery', 21, 133000, NULL),
    (4, 'Dr Kevin Ellis', 'neurology', 27, 138000, '0699866 131'),
    (5, 'Dr Zoe Schmidt', 'cardiology', 13, 95000, '0656949 986'),
    (6, 'Dr Jack Becker', 'surgery', 22, 108000, '0679377 686'),
    (7, 'Dr Bella Turner', 'neurology', 3, 128000, NULL),
    (8, 'Dr Anna Murray', 'radiology', 7, 132000, '0483917 179'),
    (9, 'Dr Amir Wood', 'neurology', 23, 139000, '0269421 570'),
    (10, 'Dr Walter Doyle', 'neurology', 31, 123000, NULL);

INSERT INTO patient VALUES
    (1, 'Olga Bishop', 56, 'Hamburg', 'B+', '0458131 583', NULL),
    (2, 'Petra Winter', 74, 'Madrid', 'AB+', '0257842 541', 3),
    (3, 'Anna Abbot', 14, 'Zurich', 'B+', '0946693 477', 4),
    (4, 'Sam Keller', 52, 'Madrid', 'B+', '0223546 131', NULL),
    (5, 'Yusuf Marsh', 12, 'Zurich', 'B+', '0682610 827', 1),
    (6, 'Leo Turner', 27, 'Vienna', 'AB+', '0899056 737', 3),
    (7, 'Peter Wood', 18, 'Hamburg', '0+', '0945026 173', 2),
    (8, 'Uma Turner', 48, 'Vienna', 'A+', '0623323 803', NULL),
    (9, 'Julia Lopez', 42, 'Vienna', 'B+', '0756990 280', NULL),
    (10, 'Clara Rossi', 29, 'Zurich', '0+', '0823938 158', 4),
    (11, 'Vera Bauer', 79, 'Vienna', '0+', '0506364 199', NULL),
    (12, 'Hugo Doyle', 3, 'Vienna', 'AB+', '0554298 804', 2),
    (13, 'Amir Bishop', 40, 'Hamburg', 'B+', '0846447 266', 3),
    (14, 'Jack Turner', 62, 'Zurich', 'B+', '0788530 904', NULL),
    (15, 'Oscar Weber', 32, 'Zurich', '0+', '0868207 779', NULL),
    (16, 'George Lopez', 16, 'Madrid', 'AB+', '0641278 429', 2),
    (17, 'Karen Clarke', 49, 'Lisbon', 'AB+', '0413226 588', NULL),
    (18, 'Carlos Marsh', 72, 'Hamburg', 'AB+', '0831752 539', 1),
    (19, 'Sofia Brown', 39, 'Zurich', 'AB+', '0696258 251', NULL),
    (20, 'Ines Schmidt', 36, 'Lisbon', 'A+', '0977200 522', 2),
    (21, 'Wanda Brown', 82, 'Lisbon', 'AB+', '0637666 887', 2),
    (22, 'David Larsen', 66, 'Zurich', '0+', '0433782 907', NULL),
    (23, 'Kevin Ellis', 35, 'Berlin', 'AB+', '0861867 989', 4),
    (24, 'Ruth Bauer', 48, 'Lisbon', 'AB+', '0376096 953', NULL);

INSERT INTO appointment VALUES
    (1, 9, 7, '2022-12-04', 'fever', 210),
    (2, 18, 1, '2023-06-05', 'broken arm', 60),
    (3, 2, 5, '2023-10-19', 'broken arm', 210),
    (4, 10, 1, '2022-11-04', 'fever', 95),
    (5, 17, 1, '2021-08-04', 'vaccination', 120),
    (6, 13, 4, '2022-02-03', 'vaccination', 340),
    (7, 14, 9, '2023-03-06', 'vaccination', 150),
    (8, 10, 3, '2023-11-26', 'fever', 95),
    (9, 15, 8, '2021-10-22', 'chest pain', 340),
    (10, 13, 9, '2023-09-08', 'chest pain', 340),
    (11, 15, 9, '2021-09-06', 'broken arm', 60),
    (12, 20, 1, '2021-03-08', 'headache', 340),
    (13, 6, 5, '2022-06-11', 'check-up', 60),
    (14, 4, 6, '2022-08-25', 'check-up', 45),
    (15, 14, 2, '2021-08-09', 'vaccination', 60),
    (16, 11, 1, '2023-01-04', 'fever', 60),
    (17, 13, 8, '2023-02-18', 'check-up', 60),
    (18, 3, 8, '2023-10-16', 'check-up', 150),
    (19, 17, 2, '2023-04-03', 'chest pain', 80),
    (20, 7, 6, '2021-01-19', 'vaccination', 60),
    (21, 1, 9, '2021-11-20', 'fever', 150),
    (22, 12, 4, '2022-10-21', 'headache', 95),
    (23, 5, 5, '2022-11-21', 'vaccination', 45),
    (24, 10, 6, '2023-09-19', 'chest pain', 45),
    (25, 15, 7, '2023-12-02', 'vaccination', 210),
    (26, 3, 7, '2021-06-19', 'check-up', 80),
    (27, 18, 8, '2023-04-22', 'broken arm', 95),
    (28, 19, 8, '2022-03-05', 'vaccination', 340),
    (29, 6, 9, '2023-03-17', 'vaccination', 80),
    (30, 7, 2, '2021-01-11', 'check-up', 95),
    (31, 11, 2, '2023-02-27', 'vaccination', 80),
    (32, 7, 4, '2022-03-04', 'fever', 120),
    (33, 20, 9, '2021-09-11', 'broken arm', 120),
    (34, 13, 3, '2022-11-10', 'chest pain', 60),
    (35, 15, 4, '2022-05-24', 'chest pain', 45),
    (36, 10, 6, '2021-01-16', 'check-up', 150),
    (37, 20, 2, '2023-10-19', 'fever', 80),
    (38, 21, 7, '2023-11-26', 'vaccination', 60),
    (39, 12, 8, '2022-02-04', 'check-up', 150),
    (40, 11, 7, '2022-07-03', 'vaccination', 60),
    (41, 5, 3, '2021-06-18', 'headache', 60),
    (42, 11, 6, '2022-04-27', 'check-up', 80),
    (43, 14, 5, '2021-07-19', 'chest pain', 60),
    (44, 6, 8, '2021-01-10', 'check-up', 80),
    (45, 17, 3, '2021-09-28', 'vaccination', 340),
    (46, 16, 1, '2021-07-25', 'headache', 80);
