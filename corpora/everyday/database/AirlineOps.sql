CREATE TABLE Country (CountryCode TEXT PRIMARY KEY, CountryName TEXT, Currency TEXT);
CREATE TABLE Airport (AirportCode TEXT PRIMARY KEY, AirportName TEXT, City TEXT, CountryCode TEXT, ElevationM INTEGER, Runways INTEGER, IsHub INTEGER, FOREIGN KEY (CountryCode) REFERENCES Country(CountryCode));
CREATE TABLE AircraftModel (ModelId INTEGER PRIMARY KEY, Manufacturer TEXT, ModelName TEXT, SeatCount INTEGER, RangeKm INTEGER, MaxTakeoffWeightKg INTEGER);
CREATE TABLE Aircraft (AircraftId INTEGER PRIMARY KEY, TailNumber TEXT, ModelId INTEGER, DeliveredOn TEXT, BuildYear INTEGER, HomeAirport TEXT, Status TEXT, FOREIGN KEY (ModelId) REFERENCES AircraftModel(ModelId), FOREIGN KEY (HomeAirport) REFERENCES Airport(AirportCode));
CREATE TABLE Route (RouteId INTEGER PRIMARY KEY, FromAirport TEXT, ToAirport TEXT, DistanceKm INTEGER, OpenedOn TEXT, ClosedOn TEXT, FOREIGN KEY (FromAirport) REFERENCES Airport(AirportCode), FOREIGN KEY (ToAirport) REFERENCES Airport(AirportCode));
CREATE TABLE Flight (FlightId INTEGER PRIMARY KEY, FlightNumber TEXT, RouteId INTEGER, AircraftId INTEGER, ScheduledDeparture TEXT, ActualDeparture TEXT, ScheduledArrival TEXT, Status TEXT, DelayReasonId INTEGER, FOREIGN KEY (RouteId) REFERENCES Route(RouteId), FOREIGN KEY (AircraftId) REFERENCES Aircraft(AircraftId), FOREIGN KEY (DelayReasonId) REFERENCES DelayReason(DelayReasonId));
CREATE TABLE DelayReason (DelayReasonId INTEGER PRIMARY KEY, ReasonText TEXT, Category TEXT);
CREATE TABLE CrewMember (CrewId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Rank TEXT, BaseAirport TEXT, HiredOn TEXT, MonthlyPay REAL, LicenceExpires TEXT, MentorId INTEGER, FOREIGN KEY (BaseAirport) REFERENCES Airport(AirportCode), FOREIGN KEY (MentorId) REFERENCES CrewMember(CrewId));
CREATE TABLE FlightCrew (FlightId INTEGER, CrewId INTEGER, DutyRole TEXT, PRIMARY KEY (FlightId, CrewId), FOREIGN KEY (FlightId) REFERENCES Flight(FlightId), FOREIGN KEY (CrewId) REFERENCES CrewMember(CrewId));
CREATE TABLE Passenger (PassengerId INTEGER PRIMARY KEY, FullName TEXT, Nationality TEXT, BirthDate TEXT, Email TEXT, LoyaltyTierId INTEGER, MilesBalance INTEGER, FOREIGN KEY (Nationality) REFERENCES Country(CountryCode), FOREIGN KEY (LoyaltyTierId) REFERENCES LoyaltyTier(LoyaltyTierId));
CREATE TABLE LoyaltyTier (LoyaltyTierId INTEGER PRIMARY KEY, TierName TEXT, MilesRequired INTEGER, LoungeAccess INTEGER);
CREATE TABLE Booking (BookingId INTEGER PRIMARY KEY, BookingRef TEXT, PassengerId INTEGER, BookedOn TEXT, Channel TEXT, Status TEXT, FOREIGN KEY (PassengerId) REFERENCES Passenger(PassengerId));
CREATE TABLE Ticket (TicketId INTEGER PRIMARY KEY, BookingId INTEGER, FlightId INTEGER, PassengerId INTEGER, CabinClass TEXT, SeatNumber TEXT, Fare REAL, Taxes REAL, CheckedIn INTEGER, FOREIGN KEY (BookingId) REFERENCES Booking(BookingId), FOREIGN KEY (FlightId) REFERENCES Flight(FlightId), FOREIGN KEY (PassengerId) REFERENCES Passenger(PassengerId));
CREATE TABLE BaggageItem (BagId INTEGER PRIMARY KEY, TicketId INTEGER, WeightKg REAL, ExcessFee REAL, Status TEXT, FOREIGN KEY (TicketId) REFERENCES Ticket(TicketId));
CREATE TABLE MaintenanceType (TypeCode TEXT PRIMARY KEY, Description TEXT, IntervalDays INTEGER);
CREATE TABLE MaintenanceJob (JobId INTEGER PRIMARY KEY, AircraftId INTEGER, TypeCode TEXT, AirportCode TEXT, StartedOn TEXT, FinishedOn TEXT, LabourHours REAL, Cost REAL, FOREIGN KEY (AircraftId) REFERENCES Aircraft(AircraftId), FOREIGN KEY (TypeCode) REFERENCES MaintenanceType(TypeCode), FOREIGN KEY (AirportCode) REFERENCES Airport(AirportCode));
CREATE TABLE FlightStatusLog (LogId INTEGER PRIMARY KEY, FlightId INTEGER, OldStatus TEXT, NewStatus TEXT, ChangedAt TEXT, FOREIGN KEY (FlightId) REFERENCES Flight(FlightId));
INSERT INTO Country VALUES
('NO','Norway','NOK'),
('GB','United Kingdom','GBP'),
('ES','Spain','EUR'),
('DE','Germany','EUR'),
('IT','Italy','EUR'),
('US','United States','USD'),
('GR','Greece','EUR');
INSERT INTO Airport VALUES
('OSL','Gardermoen','Oslo','NO',208,2,1),
('BGO','Flesland','Bergen','NO',50,1,0),
('LHR','Heathrow','London','GB',25,2,1),
('LGW','Gatwick','London','GB',62,2,0),
('MAD','Barajas','Madrid','ES',610,4,0),
('AGP','Costa del Sol','Malaga','ES',16,2,0),
('MUC','Franz Josef Strauss','Munich','DE',453,2,0),
('FCO','Fiumicino','Rome','IT',5,3,0),
('JFK','John F. Kennedy','New York','US',4,4,0),
('ATH','Eleftherios Venizelos','Athens','GR',94,2,0);
INSERT INTO AircraftModel VALUES
(1,'Airbus','A320neo',180,6300,79000),
(2,'Airbus','A321LR',206,7400,97000),
(3,'Boeing','737-800',186,5400,79010),
(4,'Boeing','787-9',296,14100,254000),
(5,'Embraer','E195-E2',132,4800,61500),
(6,'ATR','72-600',70,1500,23000);
INSERT INTO Aircraft VALUES
(1,'LN-FKA',1,'2018-04-12',2018,'OSL','Active'),
(2,'LN-FKB',1,'2018-06-30',2018,'OSL','Active'),
(3,'LN-FKC',2,'2021-02-18',2020,'LHR','Active'),
(4,'LN-FKD',3,'2011-05-09',2010,'OSL','In maintenance'),
(5,'LN-FKE',3,'2009-03-20',2009,'LGW','Retired'),
(6,'LN-FKF',4,'2019-11-05',2019,'LHR','Active'),
(7,'LN-FKG',5,'2022-08-01',2022,'BGO','Active'),
(8,'LN-FKH',6,'2014-01-25',2013,'BGO','Active'),
(9,'LN-FKI',2,'2023-10-10',2023,'OSL','Stored');
INSERT INTO Route VALUES
(1,'OSL','LHR',1207,'2005-03-27',NULL),
(2,'LHR','OSL',1207,'2005-03-27',NULL),
(3,'OSL','BGO',323,'1999-05-01',NULL),
(4,'OSL','AGP',2710,'2008-06-01',NULL),
(5,'LHR','JFK',5540,'2019-12-01',NULL),
(6,'OSL','MUC',1314,'2010-10-31','2022-10-29'),
(7,'LGW','MAD',1213,'2012-03-25',NULL),
(8,'BGO','LGW',1048,'2015-04-10',NULL),
(9,'OSL','ATH',2608,'2017-06-15',NULL),
(10,'LHR','FCO',1445,'2014-03-30','2020-03-15'),
(11,'BGO','OSL',323,'1999-05-01',NULL);
INSERT INTO DelayReason VALUES
(1,'Late incoming aircraft','Operational'),
(2,'De-icing','Weather'),
(3,'Fog','Weather'),
(4,'Technical fault','Technical'),
(5,'Crew shortage','Operational'),
(6,'Air traffic control','External'),
(7,'Security alert','External');
INSERT INTO Flight VALUES
(1,'FK201',1,1,'2024-01-15 07:30:00','2024-01-15 07:42:00','2024-01-15 09:50:00','Landed',2),
(2,'FK202',2,1,'2024-01-15 11:10:00','2024-01-15 11:58:00','2024-01-15 13:25:00','Landed',1),
(3,'FK310',3,8,'2024-01-16 08:00:00','2024-01-16 08:00:00','2024-01-16 09:05:00','Landed',NULL),
(4,'FK450',4,2,'2024-02-03 06:45:00','2024-02-03 06:50:00','2024-02-03 10:55:00','Landed',NULL),
(5,'FK900',5,6,'2024-02-10 13:20:00','2024-02-10 14:55:00','2024-02-10 21:25:00','Landed',4),
(6,'FK201',1,2,'2024-02-12 07:30:00',NULL,'2024-02-12 09:50:00','Cancelled',3),
(7,'FK701',7,3,'2024-03-02 15:00:00','2024-03-02 15:20:00','2024-03-02 17:35:00','Landed',6),
(8,'FK820',8,7,'2024-03-05 09:15:00','2024-03-05 09:15:00','2024-03-05 11:15:00','Landed',NULL),
(9,'FK560',9,3,'2024-04-20 10:40:00','2024-04-20 11:13:00','2024-04-20 14:35:00','Landed',1),
(10,'FK202',2,1,'2024-04-22 11:10:00','2024-04-22 11:13:00','2024-04-22 13:25:00','Landed',NULL),
(11,'FK900',5,6,'2024-05-01 13:20:00','2024-05-01 13:27:00','2024-05-01 21:25:00','Landed',NULL),
(12,'FK310',3,8,'2024-05-09 08:00:00',NULL,'2024-05-09 09:05:00','Cancelled',5),
(13,'FK450',4,1,'2024-06-15 06:45:00','2024-06-15 07:46:00','2024-06-15 10:55:00','Landed',6),
(14,'FK311',11,8,'2024-06-16 19:30:00','2024-06-16 19:30:00','2024-06-16 20:30:00','Landed',NULL),
(15,'FK560',9,2,'2024-07-01 10:40:00',NULL,'2024-07-01 14:35:00','Scheduled',NULL),
(16,'FK820',8,7,'2024-07-02 09:15:00',NULL,'2024-07-02 11:15:00','Scheduled',NULL);
INSERT INTO CrewMember VALUES
(1,'Astrid','Solberg','Captain','OSL','2004-08-01',11200,'2026-03-31',NULL),
(2,'Henrik','Dahl','Captain','OSL','2009-02-15',10600,'2025-01-31',NULL),
(3,'Fiona','Mackenzie','Captain','LHR','2011-11-01',10900,'2025-09-30',NULL),
(4,'Jonas','Berg','First Officer','OSL','2018-05-20',7100,'2025-06-30',1),
(5,'Isabel','Romero','First Officer','LGW','2020-01-13',6800,'2026-08-31',3),
(6,'Callum','Reid','First Officer','LHR','2021-09-01',6650,'2025-11-30',3),
(7,'Ingrid','Haugen','Purser','OSL','2007-04-10',5200,NULL,NULL),
(8,'Maria','Papadaki','Purser','LHR','2013-06-01',5050,NULL,NULL),
(9,'Liam','Turner','Cabin Attendant','LHR','2019-03-11',3400,NULL,8),
(10,'Sara','Nilsen','Cabin Attendant','BGO','2022-05-02',3150,NULL,7),
(11,'Ahmed','Farouk','Cabin Attendant','LGW','2023-04-17',3000,NULL,8),
(12,'Kari','Lund','Cabin Attendant','OSL','2016-10-03',3650,NULL,7),
(13,'Bjorn','Eide','First Officer','BGO','2023-11-20',6300,'2027-01-31',2);
INSERT INTO FlightCrew VALUES
(1,1,'Commander'),
(1,4,'Co-pilot'),
(1,7,'Cabin lead'),
(2,1,'Commander'),
(2,4,'Co-pilot'),
(2,12,'Cabin'),
(3,2,'Commander'),
(3,10,'Cabin'),
(4,2,'Commander'),
(4,4,'Co-pilot'),
(4,7,'Cabin lead'),
(5,3,'Commander'),
(5,6,'Co-pilot'),
(5,8,'Cabin lead'),
(5,9,'Cabin'),
(7,3,'Commander'),
(7,5,'Co-pilot'),
(8,2,'Commander'),
(8,10,'Cabin'),
(9,3,'Commander'),
(9,8,'Cabin lead'),
(11,3,'Commander'),
(11,6,'Co-pilot'),
(11,9,'Cabin'),
(13,1,'Commander'),
(13,2,'Co-pilot'),
(14,2,'Commander'),
(14,10,'Cabin');
INSERT INTO LoyaltyTier VALUES
(1,'Blue',0,0),
(2,'Silver',20000,0),
(3,'Gold',50000,1),
(4,'Platinum',120000,1),
(5,'Diamond',300000,1),
(6,'Junior',0,0);
INSERT INTO Passenger VALUES
(1,'Oliver Hughes','GB','1979-05-14','oliver.hughes@mail.example',3,61200),
(2,'Marta Iversen','NO','1991-11-02','marta.iversen@mail.example',2,27400),
(3,'Carlos Ortega','ES','1968-07-23',NULL,1,3100),
(4,'Deborah Klein','US','1955-01-30','dklein@mail.example',4,188000),
(5,'Stefan Huber','DE','1984-09-09','s.huber@mail.example',NULL,NULL),
(6,'Nora Aasen','NO','2001-03-18','nora.aasen@mail.example',1,8700),
(7,'Giulia Conti','IT','1996-12-05','giulia.conti@mail.example',NULL,NULL),
(8,'Eleni Markou','GR','1973-04-27',NULL,2,31500),
(9,'James Whitfield','GB','1988-08-16','jwhitfield@mail.example',1,12050),
(10,'Lars Knutsen','NO','1947-06-11','lars.k@mail.example',3,74300),
(11,'Amy Zhou','US','1993-02-20','amy.zhou@mail.example',1,950),
(12,'Tobias Strand','NO','1999-10-29',NULL,NULL,NULL);
INSERT INTO Booking VALUES
(1,'QX7T2A',1,'2023-12-20','Website','Confirmed'),
(2,'LM4R9C',2,'2024-01-02','App','Confirmed'),
(3,'ZP8K1D',4,'2023-11-28','Travel agent','Confirmed'),
(4,'HB3W6E',6,'2024-01-10','Website','Confirmed'),
(5,'TR5N0F',8,'2024-03-15','Phone','Confirmed'),
(6,'CV2J8G',9,'2024-02-01','Website','Cancelled'),
(7,'WS6Y4H',10,'2024-04-25','Travel agent','Confirmed'),
(8,'KD9B3J',2,'2024-05-19','App','Confirmed'),
(9,'FN1M7K',11,'2024-04-02','Website','Confirmed'),
(10,'YG0Q5L',5,'2024-06-05','App','Pending'),
(11,'EA8V2M',4,'2024-01-12','Phone','Cancelled');
INSERT INTO Ticket VALUES
(1,1,1,1,'Business','2A',320,48.5,1),
(2,1,2,1,'Business','2C',298,48.5,1),
(3,2,4,2,'Economy','14F',145,31,1),
(4,2,4,12,'Economy','14E',145,31,1),
(5,3,5,4,'First','1A',2890,212,1),
(6,4,3,6,'Economy','9C',62,12,1),
(7,5,9,8,'Economy','21B',178,35.5,1),
(8,5,9,3,'Economy','21A',178,35.5,0),
(9,6,6,9,'Economy',NULL,110,28,0),
(10,7,13,10,'Business','3D',415,39,1),
(11,8,15,2,'Economy',NULL,199,35.5,0),
(12,9,11,11,'Economy','33H',510,180,1),
(13,9,11,7,'Economy','33J',495,180,1),
(14,10,16,5,'Business',NULL,230,30,0),
(15,3,11,4,'First','1K',2750,212,1),
(16,4,14,6,'Economy','7A',58,12,1),
(17,2,10,2,'Economy','11D',120,28,1);
INSERT INTO BaggageItem VALUES
(1,1,18.5,0,'Delivered'),
(2,3,22.9,0,'Delivered'),
(3,4,26.4,40,'Delivered'),
(4,5,31,0,'Delivered'),
(5,5,27.5,0,'Delayed'),
(6,7,20.2,0,'Delivered'),
(7,8,24.8,30,'Lost'),
(8,10,15.6,0,'Delivered'),
(9,12,23,0,'Delivered'),
(10,12,28.3,75,'Delayed'),
(11,13,19.7,0,'Damaged'),
(12,15,29.9,0,'Delivered'),
(13,17,12.1,0,'Delivered');
INSERT INTO MaintenanceType VALUES
('A','Light check',60),
('B','Intermediate check',180),
('C','Heavy check',700),
('D','Structural overhaul',2200),
('E','Engine swap',NULL),
('P','Repainting',NULL);
INSERT INTO MaintenanceJob VALUES
(1,1,'A','OSL','2024-01-20','2024-01-21',46,18500),
(2,2,'A','OSL','2024-02-05','2024-02-06',52,19900),
(3,4,'C','MUC','2024-05-28',NULL,610,342000),
(4,6,'B','LHR','2024-03-01','2024-03-04',140,88000),
(5,8,'A','BGO','2024-02-25','2024-02-25',20,7400),
(6,3,'P','MUC','2023-11-02','2023-11-12',210,96000),
(7,5,'D','MUC','2022-01-10','2022-03-20',4100,1850000),
(8,6,'E','LHR','2023-09-14','2023-09-19',330,1240000),
(9,1,'B','OSL','2023-08-08','2023-08-10',118,61000),
(10,7,'A','BGO','2024-06-20',NULL,12,NULL),
(11,4,'A','OSL','2023-06-02','2023-06-03',58,21300);
INSERT INTO FlightStatusLog VALUES
(1,2,'Scheduled','Delayed','2024-01-15 10:40:00'),
(2,2,'Delayed','Landed','2024-01-15 14:13:00'),
(3,5,'Scheduled','Delayed','2024-02-10 13:05:00'),
(4,5,'Delayed','Landed','2024-02-10 23:01:00'),
(5,6,'Scheduled','Cancelled','2024-02-12 06:50:00'),
(6,12,'Scheduled','Cancelled','2024-05-08 21:30:00'),
(7,13,'Scheduled','Delayed','2024-06-15 06:20:00'),
(8,13,'Delayed','Landed','2024-06-15 11:58:00');
