CREATE TABLE building (building_id INTEGER PRIMARY KEY, building_name TEXT, campus TEXT, floors INTEGER, built_year INTEGER, step_free INTEGER);
CREATE TABLE faculty (faculty_id INTEGER PRIMARY KEY, faculty_name TEXT, dean_id INTEGER REFERENCES lecturer(lecturer_id), founded_year INTEGER, building_id INTEGER REFERENCES building(building_id));
CREATE TABLE department (department_id INTEGER PRIMARY KEY, department_name TEXT, faculty_id INTEGER REFERENCES faculty(faculty_id), head_id INTEGER REFERENCES lecturer(lecturer_id), annual_budget REAL, phone TEXT);
CREATE TABLE room (room_id INTEGER PRIMARY KEY, building_id INTEGER REFERENCES building(building_id), room_number TEXT, capacity INTEGER, room_type TEXT, has_projector INTEGER);
CREATE TABLE lecturer (lecturer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, title TEXT, department_id INTEGER REFERENCES department(department_id), email TEXT, salary REAL, hired_on TEXT, left_on TEXT);
CREATE TABLE admin_staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, job_title TEXT, faculty_id INTEGER REFERENCES faculty(faculty_id), salary REAL, hired_on TEXT, manager_id INTEGER REFERENCES admin_staff(staff_id));
CREATE TABLE degree_programme (programme_id INTEGER PRIMARY KEY, programme_name TEXT, level TEXT, department_id INTEGER REFERENCES department(department_id), duration_years INTEGER, annual_fee REAL, places INTEGER);
CREATE TABLE student (student_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date TEXT, home_country TEXT, programme_id INTEGER REFERENCES degree_programme(programme_id), enrolled_on TEXT, graduated_on TEXT, tutor_id INTEGER REFERENCES lecturer(lecturer_id), email TEXT, is_part_time INTEGER);
CREATE TABLE course (course_id INTEGER PRIMARY KEY, course_code TEXT, course_title TEXT, department_id INTEGER REFERENCES department(department_id), credits INTEGER, level TEXT);
CREATE TABLE course_prerequisite (course_id INTEGER REFERENCES course(course_id), required_course_id INTEGER REFERENCES course(course_id), PRIMARY KEY (course_id, required_course_id));
CREATE TABLE semester (semester_id INTEGER PRIMARY KEY, semester_name TEXT, starts_on TEXT, ends_on TEXT);
CREATE TABLE course_offering (offering_id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES course(course_id), semester_id INTEGER REFERENCES semester(semester_id), lecturer_id INTEGER REFERENCES lecturer(lecturer_id), room_id INTEGER REFERENCES room(room_id), weekday TEXT, start_time TEXT, max_students INTEGER);
CREATE TABLE enrolment (student_id INTEGER REFERENCES student(student_id), offering_id INTEGER REFERENCES course_offering(offering_id), registered_on TEXT, grade INTEGER, status TEXT, PRIMARY KEY (student_id, offering_id));
CREATE TABLE scholarship (scholarship_id INTEGER PRIMARY KEY, scholarship_name TEXT, sponsor TEXT, yearly_amount REAL, min_grade INTEGER);
CREATE TABLE scholarship_award (award_id INTEGER PRIMARY KEY, scholarship_id INTEGER REFERENCES scholarship(scholarship_id), student_id INTEGER REFERENCES student(student_id), awarded_on TEXT, amount REAL);
CREATE TABLE tuition_invoice (invoice_id INTEGER PRIMARY KEY, student_id INTEGER REFERENCES student(student_id), semester_id INTEGER REFERENCES semester(semester_id), amount REAL, issued_on TEXT, due_on TEXT, paid_on TEXT);
CREATE TABLE grade_change_log (log_id INTEGER PRIMARY KEY, student_id INTEGER REFERENCES student(student_id), offering_id INTEGER REFERENCES course_offering(offering_id), old_grade INTEGER, new_grade INTEGER, changed_at TEXT, changed_by INTEGER REFERENCES admin_staff(staff_id));
INSERT INTO building VALUES
(1,'Newton Hall','North',5,1968,1),
(2,'Curie Building','North',4,1994,1),
(3,'Old College','City',3,1887,0),
(4,'Austen House','City',2,1931,0),
(5,'Turing Centre','North',6,2016,1),
(6,'Harbour Block','South',3,2005,1);
INSERT INTO faculty VALUES
(1,'Science',1,1921,1),
(2,'Arts and Humanities',6,1887,3),
(3,'Engineering',9,1952,5),
(4,'Social Sciences',12,1964,4),
(5,'Medicine',NULL,2019,NULL),
(6,'Law',NULL,2023,NULL);
INSERT INTO department VALUES
(1,'Physics',1,1,820000,'4101'),
(2,'Mathematics',1,3,610000,'4102'),
(3,'Biology',1,4,755000,'4103'),
(4,'History',2,6,340000,'4201'),
(5,'English Literature',2,7,365000,NULL),
(6,'Computer Science',3,9,980000,'4301'),
(7,'Civil Engineering',3,NULL,705000,'4302'),
(8,'Economics',4,12,520000,'4401'),
(9,'Psychology',4,13,495000,NULL);
INSERT INTO room VALUES
(1,1,'N101',180,'lecture hall',1),
(2,1,'N204',40,'seminar',1),
(3,2,'C010',24,'lab',0),
(4,2,'C112',60,'lecture hall',1),
(5,3,'OC3',30,'seminar',0),
(6,3,'OC7',18,'seminar',0),
(7,4,'A12',45,'seminar',1),
(8,5,'T001',220,'lecture hall',1),
(9,5,'T310',36,'lab',1),
(10,5,'T311',32,'lab',1),
(11,6,'H5',16,'office',0);
INSERT INTO lecturer VALUES
(1,'Helena','Markovic','Professor',1,'h.markovic@uni.example',92000,'2003-09-01',NULL),
(2,'Tom','Ashdown','Lecturer',1,'t.ashdown@uni.example',51000,'2019-01-15',NULL),
(3,'Yuki','Tanabe','Professor',2,'y.tanabe@uni.example',88500,'2008-09-01',NULL),
(4,'Grace','Oduya','Professor',3,'g.oduya@uni.example',90500,'2006-02-01',NULL),
(5,'Peter','Lindholm','Senior Lecturer',3,NULL,63000,'2012-09-01','2023-08-31'),
(6,'Margaret','Shaw','Professor',4,'m.shaw@uni.example',84000,'1998-09-01',NULL),
(7,'Declan','Byrne','Senior Lecturer',5,'d.byrne@uni.example',61500,'2014-09-01',NULL),
(8,'Ines','Carvalho','Lecturer',5,NULL,48500,'2021-09-01',NULL),
(9,'Rajesh','Menon','Professor',6,'r.menon@uni.example',97000,'2010-01-10',NULL),
(10,'Sophie','Keller','Senior Lecturer',6,'s.keller@uni.example',66000,'2016-09-01',NULL),
(11,'Owen','Pritchard','Lecturer',7,'o.pritchard@uni.example',52500,'2018-09-01','2024-06-30'),
(12,'Amara','Nwosu','Professor',8,'a.nwosu@uni.example',91000,'2009-09-01',NULL),
(13,'Lukas','Brandt','Senior Lecturer',9,'l.brandt@uni.example',64500,'2013-03-01',NULL),
(14,'Chloe','Martin','Lecturer',6,'c.martin@uni.example',54000,'2022-09-01',NULL);
INSERT INTO admin_staff VALUES
(1,'Barbara','Quinn','Registrar',NULL,78000,'2001-05-01',NULL),
(2,'Samir','Haddad','Faculty Manager',1,56000,'2011-08-15',1),
(3,'Linda','Osei','Faculty Manager',2,54500,'2013-04-01',1),
(4,'Marek','Novak','Faculty Manager',3,57500,'2015-10-01',1),
(5,'Joanne','Webb','Secretary',1,33000,'2018-02-01',2),
(6,'Paul','Shaw','Secretary',3,32500,'2020-09-14',4),
(7,'Tina','Russo','Admissions Officer',NULL,39000,'2017-06-01',1),
(8,'Karen','Liddle','Secretary',2,31800,'2022-01-10',3),
(9,'Victor','Amadi','Timetabling Officer',3,37500,'2019-11-01',4);
INSERT INTO degree_programme VALUES
(1,'BSc Physics','Bachelor',1,3,9200,60),
(2,'BSc Mathematics','Bachelor',2,3,9000,75),
(3,'BSc Biology','Bachelor',3,3,9400,80),
(4,'BA History','Bachelor',4,3,8200,50),
(5,'BA English','Bachelor',5,3,8100,55),
(6,'BSc Computer Science','Bachelor',6,3,9800,120),
(7,'MSc Data Science','Master',6,1,14500,40),
(8,'MEng Civil Engineering','Master',7,4,9900,45),
(9,'MSc Economics','Master',8,1,13200,35),
(10,'PhD Physics','Doctorate',1,4,5200,8),
(11,'BSc Psychology','Bachelor',9,3,8900,90);
INSERT INTO student VALUES
(1,'Alice','Fenwick','2001-08-15','UK',6,'2021-09-21',NULL,10,'alice.fenwick@stud.example',0),
(2,'Bilal','Rahman','1998-11-18','Pakistan',7,'2023-09-22','2024-09-20',9,'bilal.rahman@stud.example',0),
(3,'Carla','Mendes','2000-12-25','Portugal',3,'2022-09-23',NULL,4,NULL,0),
(4,'Dmitri','Volkov','2002-10-27','Bulgaria',2,'2021-09-24','2024-07-12',3,'dmitri.volkov@stud.example',0),
(5,'Emma','Gallagher','2003-11-24','Ireland',4,'2023-09-25',NULL,NULL,'emma.gallagher@stud.example',1),
(6,'Farah','Aziz','2001-03-17','UK',1,'2022-09-26',NULL,1,'farah.aziz@stud.example',0),
(7,'George','Tanner','2001-10-19','UK',6,'2023-09-20',NULL,10,'george.tanner@stud.example',0),
(8,'Hana','Sato','2000-01-07','Japan',7,'2023-09-21',NULL,9,'hana.sato@stud.example',0),
(9,'Ivan','Petrov','1992-09-06','Bulgaria',10,'2020-09-22',NULL,1,'ivan.petrov@stud.example',1),
(10,'Julia','Nowak','2001-02-22','Poland',5,'2022-09-23',NULL,7,NULL,0),
(11,'Kwame','Mensah','2000-01-16','Ghana',9,'2023-09-24','2024-09-20',12,'kwame.mensah@stud.example',1),
(12,'Laura','Bianchi','2001-01-21','Italy',4,'2020-09-25','2023-07-14',6,'laura.bianchi@stud.example',0),
(13,'Mohammed','Saleh','2001-04-02','UK',8,'2021-09-26',NULL,NULL,'mohammed.saleh@stud.example',0),
(14,'Nina','Hofer','2001-04-08','Austria',6,'2022-09-20',NULL,10,'nina.hofer@stud.example',0),
(15,'Oscar','Lund','2001-10-05','Sweden',1,'2023-09-21',NULL,1,'oscar.lund@stud.example',0),
(16,'Priya','Nair','2003-01-03','India',9,'2023-09-22',NULL,12,NULL,0),
(17,'Quentin','Leroy','2000-08-23','France',2,'2020-09-23','2023-07-14',3,'quentin.leroy@stud.example',0),
(18,'Rosa','Delgado','2000-06-09','Spain',3,'2021-09-24','2024-07-12',4,'rosa.delgado@stud.example',0),
(19,'Simon','Achebe','2000-08-01','Ghana',6,'2022-09-25',NULL,10,'simon.achebe@stud.example',1),
(20,'Tara','Whelan','2004-10-20','Ireland',11,'2023-09-26',NULL,13,'tara.whelan@stud.example',0);
INSERT INTO course VALUES
(1,'PHY101','Mechanics',1,10,'first year'),
(2,'PHY210','Quantum Physics',1,15,'second year'),
(3,'MAT101','Calculus I',2,10,'first year'),
(4,'MAT102','Calculus II',2,10,'first year'),
(5,'BIO120','Cell Biology',3,15,'first year'),
(6,'HIS205','Medieval Europe',4,20,'second year'),
(7,'ENG110','Shakespeare',5,15,'first year'),
(8,'CSC101','Programming',6,15,'first year'),
(9,'CSC220','Databases',6,10,'second year'),
(10,'CSC410','Machine Learning',6,20,'master'),
(11,'ECO400','Econometrics',8,20,'master'),
(12,'CIV230','Structures',7,15,'second year'),
(13,'PSY105','Statistics for Psychologists',9,10,'first year');
INSERT INTO course_prerequisite VALUES
(2,1),
(2,4),
(4,3),
(9,8),
(10,9),
(10,4),
(11,4),
(12,3);
INSERT INTO semester VALUES
(1,'Autumn 2022','2022-09-26','2022-12-16'),
(2,'Spring 2023','2023-01-16','2023-05-12'),
(3,'Autumn 2023','2023-09-25','2023-12-15'),
(4,'Spring 2024','2024-01-15','2024-05-10'),
(5,'Autumn 2024','2024-09-23','2024-12-13'),
(6,'Spring 2025','2025-01-13','2025-05-09');
INSERT INTO course_offering VALUES
(1,1,3,2,1,'Monday','09:00',120),
(2,2,4,1,4,'Tuesday','11:00',50),
(3,3,3,3,1,'Wednesday','10:00',150),
(4,4,4,3,4,'Wednesday','14:00',60),
(5,5,3,5,3,'Thursday','13:00',24),
(6,5,5,4,3,'Thursday','13:00',22),
(7,6,4,6,5,'Friday','10:00',30),
(8,7,3,7,7,'Tuesday','15:00',40),
(9,8,3,10,8,'Monday','11:00',200),
(10,9,4,14,9,'Thursday','09:00',36),
(11,10,5,9,8,'Monday','14:00',90),
(12,11,3,12,2,'Friday','13:00',35),
(13,8,5,10,8,'Tuesday','09:00',210),
(14,9,6,14,NULL,'Monday','16:00',34);
INSERT INTO enrolment VALUES
(1,9,'2023-09-09',57,'passed'),
(1,10,'2024-01-04',60,'passed'),
(1,11,'2024-09-05',49,'failed'),
(2,9,'2023-09-05',89,'passed'),
(2,11,'2024-09-04',41,'failed'),
(2,12,'2023-09-08',NULL,'withdrawn'),
(2,3,'2023-09-08',93,'passed'),
(3,5,'2023-09-02',86,'passed'),
(4,3,'2023-09-11',85,'passed'),
(4,4,'2024-01-02',84,'passed'),
(4,10,'2024-01-08',82,'passed'),
(5,7,'2024-01-11',75,'passed'),
(5,8,'2023-09-03',NULL,'withdrawn'),
(6,1,'2023-09-04',61,'passed'),
(6,2,'2024-01-06',NULL,'withdrawn'),
(6,3,'2023-09-11',48,'failed'),
(7,9,'2023-09-06',46,'failed'),
(7,10,'2024-01-03',NULL,'withdrawn'),
(7,3,'2023-09-11',97,'passed'),
(7,14,'2025-01-02',NULL,'active'),
(8,11,'2024-09-11',68,'passed'),
(8,9,'2023-09-11',51,'passed'),
(8,12,'2023-09-11',66,'passed'),
(8,10,'2024-01-11',96,'passed'),
(9,2,'2024-01-08',53,'passed'),
(10,8,'2023-09-04',76,'passed'),
(11,12,'2023-09-05',72,'passed'),
(11,4,'2024-01-05',95,'passed'),
(13,3,'2023-09-04',87,'passed'),
(14,9,'2023-09-10',59,'passed'),
(14,10,'2024-01-08',65,'passed'),
(14,11,'2024-09-11',NULL,'withdrawn'),
(14,14,'2025-01-02',NULL,'active'),
(15,1,'2023-09-03',NULL,'withdrawn'),
(15,3,'2023-09-10',90,'passed'),
(15,2,'2024-01-05',40,'failed'),
(16,12,'2023-09-08',62,'passed'),
(16,3,'2023-09-11',77,'passed'),
(18,5,'2023-09-10',83,'passed'),
(18,6,'2024-09-03',63,'passed'),
(19,13,'2024-09-09',44,'failed'),
(19,10,'2024-01-11',74,'passed'),
(20,13,'2024-09-06',42,'failed'),
(20,3,'2023-09-05',39,'failed');
INSERT INTO scholarship VALUES
(1,'Curie Award','Solvay Trust',4000,75),
(2,'Harbour Bursary','City Council',1500,NULL),
(3,'Ada Grant','Northbridge Bank',3000,70),
(4,'Global Talent Fund','British Council',6000,80),
(5,'Alumni Prize','Alumni Association',1000,65),
(6,'Sports Bursary','City Council',1200,NULL);
INSERT INTO scholarship_award VALUES
(1,4,8,'2023-10-05',6000),
(2,3,1,'2022-10-10',3000),
(3,3,14,'2023-10-09',2500),
(4,1,6,'2022-11-01',4000),
(5,2,5,'2023-10-20',1500),
(6,2,19,'2023-10-20',1000),
(7,4,16,'2024-02-12',5000),
(8,5,1,'2024-07-01',1000),
(9,1,18,'2023-11-03',3500),
(10,2,13,'2024-10-18',1500);
INSERT INTO tuition_invoice VALUES
(1,1,3,4900.0,'2023-09-02','2023-10-31','2023-09-16'),
(2,1,5,4900.0,'2024-09-03','2024-10-31','2024-10-22'),
(3,2,3,7250.0,'2023-09-04','2023-10-31','2023-09-09'),
(4,5,3,4100.0,'2023-09-05','2023-10-31','2023-09-13'),
(5,6,3,4600.0,'2023-09-01','2023-10-31','2023-10-19'),
(6,6,5,4600.0,'2024-09-02','2024-10-31',NULL),
(7,7,3,4900.0,'2023-09-03','2023-10-31','2023-11-26'),
(8,7,5,4900.0,'2024-09-04','2024-10-31','2024-09-10'),
(9,8,3,7250.0,'2023-09-05','2023-10-31',NULL),
(10,11,3,6600.0,'2023-09-01','2023-10-31',NULL),
(11,13,3,4950.0,'2023-09-02','2023-10-31','2023-10-12'),
(12,13,5,4950.0,'2024-09-03','2024-10-31','2024-10-18'),
(13,14,3,4900.0,'2023-09-04','2023-10-31','2023-11-24'),
(14,14,5,4900.0,'2024-09-05','2024-10-31','2024-11-12'),
(15,16,3,6600.0,'2023-09-01','2023-10-31',NULL),
(16,19,3,4900.0,'2023-09-02','2023-10-31','2023-11-09'),
(17,20,3,4450.0,'2023-09-03','2023-10-31','2023-09-23');
INSERT INTO grade_change_log VALUES
(1,1,10,54,60,'2024-06-03 10:15:00',5),
(2,3,5,89,86,'2024-01-22 09:40:00',5),
(3,6,3,38,48,'2024-02-01 15:05:00',7),
(4,8,10,92,96,'2024-02-02 11:30:00',5),
(5,14,10,63,65,'2024-06-11 16:20:00',6),
(6,18,5,88,83,'2024-06-12 08:55:00',6),
(7,4,4,76,84,'2025-01-20 14:00:00',1);
