CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, branch_name TEXT, district TEXT, address TEXT, opened_year INTEGER, floor_area_m2 INTEGER, has_cafe INTEGER, head_librarian_id INTEGER REFERENCES staff(staff_id));
CREATE TABLE opening_hours (branch_id INTEGER REFERENCES branch(branch_id), weekday TEXT, opens_at TEXT, closes_at TEXT, PRIMARY KEY (branch_id, weekday));
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, position TEXT, branch_id INTEGER REFERENCES branch(branch_id), salary REAL, start_date TEXT, end_date TEXT, supervisor_id INTEGER REFERENCES staff(staff_id));
CREATE TABLE member_category (category_code TEXT PRIMARY KEY, category_name TEXT, yearly_fee REAL, max_loans INTEGER, loan_days INTEGER);
CREATE TABLE member (member_id INTEGER PRIMARY KEY, card_number TEXT, first_name TEXT, last_name TEXT, birth_date TEXT, district TEXT, email TEXT, category_code TEXT REFERENCES member_category(category_code), home_branch_id INTEGER REFERENCES branch(branch_id), joined_on TEXT, blocked INTEGER);
CREATE TABLE author (author_id INTEGER PRIMARY KEY, author_name TEXT, country TEXT, birth_year INTEGER, death_year INTEGER);
CREATE TABLE publisher (publisher_id INTEGER PRIMARY KEY, publisher_name TEXT, city TEXT, country TEXT);
CREATE TABLE title (title_id INTEGER PRIMARY KEY, title_name TEXT, publisher_id INTEGER REFERENCES publisher(publisher_id), medium TEXT, genre TEXT, language TEXT, published_year INTEGER, pages INTEGER);
CREATE TABLE title_author (title_id INTEGER REFERENCES title(title_id), author_id INTEGER REFERENCES author(author_id), role TEXT, PRIMARY KEY (title_id, author_id));
CREATE TABLE copy (copy_id INTEGER PRIMARY KEY, title_id INTEGER REFERENCES title(title_id), branch_id INTEGER REFERENCES branch(branch_id), shelf_mark TEXT, acquired_on TEXT, purchase_price REAL, condition TEXT);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, copy_id INTEGER REFERENCES copy(copy_id), member_id INTEGER REFERENCES member(member_id), loaned_on TEXT, due_on TEXT, returned_on TEXT, renewals INTEGER, staff_id INTEGER REFERENCES staff(staff_id));
CREATE TABLE fine (fine_id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loan(loan_id), reason TEXT, amount REAL, issued_on TEXT, paid_on TEXT, waived INTEGER);
CREATE TABLE reservation (reservation_id INTEGER PRIMARY KEY, title_id INTEGER REFERENCES title(title_id), member_id INTEGER REFERENCES member(member_id), pickup_branch_id INTEGER REFERENCES branch(branch_id), reserved_on TEXT, expires_on TEXT, status TEXT);
CREATE TABLE supplier (supplier_id INTEGER PRIMARY KEY, supplier_name TEXT, city TEXT, contact_email TEXT, discount_percent REAL);
CREATE TABLE purchase_order (order_id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES supplier(supplier_id), branch_id INTEGER REFERENCES branch(branch_id), ordered_on TEXT, delivered_on TEXT, status TEXT);
CREATE TABLE purchase_order_item (order_id INTEGER REFERENCES purchase_order(order_id), title_id INTEGER REFERENCES title(title_id), quantity INTEGER, unit_price REAL, PRIMARY KEY (order_id, title_id));
CREATE TABLE event (event_id INTEGER PRIMARY KEY, event_name TEXT, event_type TEXT, branch_id INTEGER REFERENCES branch(branch_id), organiser_id INTEGER REFERENCES staff(staff_id), starts_at TEXT, capacity INTEGER, ticket_price REAL, cancelled INTEGER);
CREATE TABLE event_registration (event_id INTEGER REFERENCES event(event_id), member_id INTEGER REFERENCES member(member_id), registered_on TEXT, attended INTEGER, PRIMARY KEY (event_id, member_id));
INSERT INTO branch VALUES
(1,'Central Library','Old Town','1 Market Square',1962,5400,1,1),
(2,'Riverside Branch','Riverside','88 Quay Street',1987,1200,0,3),
(3,'Hilltop Branch','Hilltop','5 Chapel Lane',1994,850,0,5),
(4,'Westgate Branch','Westgate','240 Mill Road',2009,1600,1,7),
(5,'Harbour Branch','Riverside','12 Dock Road',2021,980,1,NULL),
(6,'Mobile Library',NULL,NULL,2003,30,0,NULL);
INSERT INTO opening_hours VALUES
(1,'Monday','09:00','20:00'),
(1,'Saturday','10:00','17:00'),
(1,'Sunday','12:00','16:00'),
(2,'Monday','10:00','18:00'),
(2,'Saturday','10:00','14:00'),
(3,'Monday','13:00','18:00'),
(4,'Monday','09:30','19:00'),
(4,'Saturday','09:30','15:00'),
(5,'Monday','10:00','19:00'),
(5,'Sunday','11:00','15:00');
INSERT INTO staff VALUES
(1,'Eleanor','Voss','Head librarian',1,61000,'1999-09-01',NULL,NULL),
(2,'Martin','Okoye','Librarian',1,42500,'2010-03-15',NULL,1),
(3,'Ruth','Adler','Head librarian',2,52000,'2006-06-01',NULL,1),
(4,'Ben','Castle','Assistant',2,29500,'2021-10-04',NULL,3),
(5,'Hugo','Lindgren','Head librarian',3,50500,'2012-01-09',NULL,1),
(6,'Priti','Shah','Librarian',4,41200,'2015-05-18',NULL,7),
(7,'Angela','Moretti','Head librarian',4,53500,'2004-11-22',NULL,1),
(8,'Danny','Ferreira','Assistant',1,28900,'2022-02-14','2024-02-29',2),
(9,'Wendy','Cole','Driver',6,31000,'2013-08-05',NULL,1),
(10,'Samuel','Price','Assistant',5,28400,'2023-05-02',NULL,3),
(11,'Irene','Katz','IT specialist',1,47800,'2018-07-16',NULL,1);
INSERT INTO member_category VALUES
('A','Adult',25,10,28),
('C','Child',0,6,28),
('S','Student',10,12,28),
('P','Pensioner',12,10,42),
('X','Institution',60,40,56),
('T','Teacher',0,20,42);
INSERT INTO member VALUES
(1,'C1037','Paula','Jennings','1984-06-12','Riverside','paula.jennings@post.example','A',2,'2015-03-02',0),
(2,'C1074','Theo','Barnes','2013-09-30','Hilltop',NULL,'C',3,'2020-01-18',0),
(3,'C1111','Miriam','Solomon','1951-02-25','Old Town',NULL,'P',1,'1998-05-06',0),
(4,'C1148','Kofi','Asante','2002-12-01','Westgate','kofi.asante@post.example','S',4,'2021-10-11',0),
(5,'C1185','Lena','Hartwig','1979-04-08','Old Town','lena.hartwig@post.example','A',1,'2010-07-20',0),
(6,'C1222','Rashid','Khan','1990-11-17','Riverside','rashid.khan@post.example','A',2,'2019-02-14',1),
(7,'C1259','Sophie','Dunn','2014-03-21','Westgate',NULL,'C',4,'2022-06-03',0),
(8,'C1296','George','Pappas','1947-08-09','Hilltop',NULL,'P',3,'2001-11-29',0),
(9,'C1333','Yara','Haddad','2003-05-27','Riverside','yara.haddad@post.example','S',5,'2022-09-26',0),
(10,'C1370','Colin','Frost','1968-01-14','Westgate','colin.frost@post.example','A',4,'2008-04-15',1),
(11,'C1407','Nadia','Petrova','1995-07-05','Old Town','nadia.petrova@post.example','A',1,'2023-01-09',0),
(12,'C1444','Jack','Barnes','1982-10-23','Hilltop','jack.barnes@post.example','A',3,'2020-01-18',0),
(13,'C1481','Olive','Tran','2001-01-31','Riverside','olive.tran@post.example','S',5,'2023-10-02',0),
(14,'C1518','Edwin','Marsh','1940-12-19','Hilltop','edwin.marsh@post.example','P',1,'2023-11-20',0);
INSERT INTO author VALUES
(1,'Ursula Brandt','Germany',1948,NULL),
(2,'Thomas Ashby','United Kingdom',1871,1938),
(3,'Mei Lin Chao','China',1975,NULL),
(4,'Rafael Ibarra','Spain',1932,2011),
(5,'Ngozi Adeyemi','Nigeria',1981,NULL),
(6,'Karin Holm','Sweden',1966,NULL),
(7,'Peter Dunmore','United Kingdom',1959,NULL),
(8,'Alice Renard','France',1990,NULL),
(9,'Oskar Blum','Germany',1912,1979);
INSERT INTO publisher VALUES
(1,'Lantern Press','London','United Kingdom'),
(2,'Nordlicht Verlag','Hamburg','Germany'),
(3,'Casa Azul','Madrid','Spain'),
(4,'Bluebird Books','Dublin','Ireland'),
(5,'Sound & Story','London','United Kingdom'),
(6,'Quill House','Edinburgh','United Kingdom');
INSERT INTO title VALUES
(1,'The Salt Road',1,'book','novel','English',2016,412),
(2,'Winter Harbour',1,'book','crime','English',2019,356),
(3,'Der stille Fluss',2,'book','novel','German',1998,288),
(4,'The Lighthouse Keeper',6,'book','classic','English',1904,530),
(5,'Cooking with Seaweed',4,'book','cookery','English',2021,176),
(6,'La casa de arena',3,'book','novel','Spanish',1974,244),
(7,'Bears at Bedtime',4,'book','children','English',2018,32),
(8,'Winter Harbour (audio)',5,'audiobook','crime','English',2020,NULL),
(9,'A History of Tides',6,'book','history','English',2011,604),
(10,'Paper Lanterns',1,'book','novel','English',2022,318),
(11,'Robots for Beginners',4,'book','children','English',2023,96),
(12,'Island Songs',5,'music CD','folk','English',2007,NULL),
(13,'The Ninth Passenger',1,'book','crime','English',2024,372);
INSERT INTO title_author VALUES
(1,5,'author'),
(2,6,'author'),
(3,1,'author'),
(3,9,'author'),
(4,2,'author'),
(5,8,'author'),
(6,4,'author'),
(7,8,'author'),
(7,7,'illustrator'),
(8,6,'author'),
(8,7,'narrator'),
(9,7,'author'),
(10,3,'author'),
(11,3,'author'),
(13,6,'author');
INSERT INTO copy VALUES
(1,1,1,'NOV-13','2016-09-12',18.5,'good'),
(2,1,2,'NOV-13','2017-01-20',18.5,'worn'),
(3,2,1,'CRI-16','2019-10-03',16.9,'good'),
(4,2,4,'CRI-16','2019-10-03',16.9,'good'),
(5,2,3,'CRI-16','2020-02-11',15.5,'damaged'),
(6,3,1,'NOV-19','2001-05-14',12.0,'worn'),
(7,4,1,'CLA-22','1975-03-01',6.5,'worn'),
(8,4,3,'CLA-22','2012-08-22',9.9,'good'),
(9,5,2,'COO-25','2021-06-30',24.0,'new'),
(10,5,5,'COO-25','2021-07-15',24.0,'good'),
(11,6,1,'NOV-28','1999-11-11',14.2,'good'),
(12,7,4,'CHI-31','2018-12-01',11.5,'worn'),
(13,7,3,'CHI-31','2019-03-08',11.5,'good'),
(14,7,6,NULL,'2019-03-08',11.5,'damaged'),
(15,8,1,'CRI-34','2020-11-19',29.9,'good'),
(16,9,1,'HIS-37','2012-02-02',35.0,'good'),
(17,10,5,'NOV-40','2022-09-05',19.9,'new'),
(18,10,2,'NOV-40','2022-09-05',19.9,'good'),
(19,11,4,'CHI-43','2023-10-10',13.4,'new'),
(20,13,1,'CRI-49','2024-02-20',21.5,'new');
INSERT INTO loan VALUES
(1,1,1,'2023-09-04','2023-10-02','2023-09-28',0,2),
(2,4,4,'2023-09-15','2023-10-13','2023-11-02',1,6),
(3,12,7,'2023-10-02','2023-10-30','2023-10-30',0,6),
(4,15,5,'2023-10-10','2023-11-07','2023-11-06',0,8),
(5,8,8,'2023-10-20','2023-12-01','2023-12-15',1,5),
(6,13,2,'2023-11-03','2023-12-01','2023-11-24',0,5),
(7,9,6,'2023-11-14','2023-12-12',NULL,0,3),
(8,16,3,'2023-11-20','2024-01-01','2023-12-29',2,2),
(9,3,11,'2023-12-05','2024-01-02','2024-01-11',0,8),
(10,18,1,'2024-01-08','2024-02-05','2024-02-01',0,4),
(11,19,7,'2024-01-16','2024-02-13','2024-02-20',0,6),
(12,4,10,'2024-01-25','2024-02-22',NULL,0,6),
(13,17,9,'2024-02-01','2024-02-29','2024-02-27',1,10),
(14,1,5,'2024-02-12','2024-03-11','2024-03-09',0,2),
(15,5,12,'2024-02-19','2024-03-18',NULL,0,5),
(16,20,3,'2024-02-26','2024-04-08','2024-03-15',0,2),
(17,20,11,'2024-03-18','2024-04-15',NULL,0,2),
(18,10,13,'2024-03-20','2024-04-17',NULL,1,10),
(19,2,6,'2023-08-01','2023-08-29','2023-09-10',0,3),
(20,13,2,'2024-03-05','2024-04-02','2024-03-26',0,NULL),
(21,3,1,'2024-01-20','2024-02-17','2024-02-21',0,2);
INSERT INTO fine VALUES
(1,2,'late return',4,'2023-11-02','2023-11-20',0),
(2,5,'late return',2.8,'2023-12-15',NULL,1),
(3,7,'lost',24,'2024-02-01',NULL,0),
(4,9,'late return',1.8,'2024-01-11','2024-01-11',0),
(5,11,'late return',1.4,'2024-02-20','2024-03-02',0),
(6,12,'late return',6,'2024-03-25',NULL,0),
(7,19,'late return',2.4,'2023-09-10',NULL,0),
(8,19,'damage',9.5,'2023-09-10','2023-10-01',0),
(9,6,'damage',3.5,'2023-11-24','2023-12-08',0);
INSERT INTO reservation VALUES
(1,13,5,1,'2024-02-22','2024-03-22','collected'),
(2,13,1,2,'2024-02-23','2024-03-23','waiting'),
(3,13,10,4,'2024-03-01','2024-04-01','waiting'),
(4,2,9,5,'2024-03-04','2024-04-04','waiting'),
(5,10,3,1,'2023-11-10','2023-12-10','expired'),
(6,5,11,1,'2024-01-15','2024-02-15','cancelled'),
(7,11,2,3,'2024-03-10','2024-04-10','ready'),
(8,1,13,5,'2024-03-12','2024-04-12','ready'),
(9,2,6,5,'2023-10-05','2023-11-05','expired'),
(10,7,12,3,'2023-12-02','2024-01-02','collected');
INSERT INTO supplier VALUES
(1,'Bookline Wholesale','Manchester','orders@bookline.example',25),
(2,'Kinderbuch Direkt','Hamburg','sales@kinderbuch.example',18),
(3,'Audio Depot','London','hello@audiodepot.example',12.5),
(4,'Harbour Stationers','Bristol',NULL,5),
(5,'Iberia Libros','Madrid','pedidos@iberia.example',20),
(6,'Second Chapter','Leeds',NULL,0);
INSERT INTO purchase_order VALUES
(1,1,1,'2023-09-18','2023-10-02','delivered'),
(2,1,4,'2023-09-25','2023-10-09','delivered'),
(3,3,1,'2023-11-06','2023-12-11','delivered'),
(4,5,1,'2024-01-15',NULL,'cancelled'),
(5,1,1,'2024-02-05','2024-02-19','delivered'),
(6,2,3,'2024-02-28',NULL,'open'),
(7,1,5,'2024-03-11',NULL,'open'),
(8,6,2,'2024-03-14','2024-03-18','delivered');
INSERT INTO purchase_order_item VALUES
(1,10,2,15.2),
(1,9,1,28),
(2,11,4,10.5),
(2,7,3,8.9),
(3,8,2,24.5),
(3,12,1,13),
(4,6,2,12.4),
(5,13,6,16.8),
(6,7,5,9.2),
(6,11,5,10.9),
(7,13,2,17.1),
(7,5,1,19),
(8,1,3,6);
INSERT INTO event VALUES
(1,'Storytime Saturday','children',3,5,'2024-01-13 10:30:00',25,0,0),
(2,'Crime Night with Karin Holm','reading',1,1,'2024-02-02 19:00:00',120,8,0),
(3,'Fix Your Phone','workshop',1,11,'2024-02-10 14:00:00',15,5,0),
(4,'Poetry by the River','reading',2,3,'2024-02-17 18:30:00',40,4,1),
(5,'Robot Building','workshop',4,6,'2024-03-02 13:00:00',12,6,0),
(6,'Storytime Spring','children',4,7,'2024-03-09 10:30:00',30,0,0),
(7,'Local History Talk','talk',1,2,'2024-03-21 18:00:00',60,3,0),
(8,'Seaweed Cooking','workshop',5,10,'2024-04-06 11:00:00',10,12,0),
(9,'Quiz Evening','social',2,NULL,'2024-04-12 19:30:00',50,2,0);
INSERT INTO event_registration VALUES
(1,2,'2024-01-05',1),
(1,7,'2024-01-08',0),
(2,5,'2024-01-12',1),
(2,3,'2024-01-14',1),
(2,11,'2024-01-20',1),
(2,10,'2024-01-30',0),
(3,3,'2024-01-29',1),
(3,8,'2024-02-01',1),
(4,1,'2024-02-03',0),
(5,7,'2024-02-11',1),
(5,2,'2024-02-12',1),
(5,4,'2024-02-25',0),
(6,7,'2024-03-01',1),
(7,3,'2024-03-04',1),
(7,5,'2024-03-10',1),
(8,9,'2024-03-18',0),
(8,13,'2024-03-19',0);
