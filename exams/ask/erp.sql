-- erp: made-up data
PRAGMA foreign_keys = OFF;
CREATE TABLE TaxRate (TaxCode TEXT PRIMARY KEY, Percentage REAL, Description TEXT);
CREATE TABLE journal_entry_line (entry_id INTEGER REFERENCES JournalEntry(EntryID), line_no INTEGER, account_no INTEGER REFERENCES gl_account(account_no), debit REAL, credit REAL, PRIMARY KEY (entry_id, line_no));
CREATE TABLE StorageBin (BinCode TEXT PRIMARY KEY, WarehouseID INTEGER REFERENCES Warehouse(WarehouseID), MaxWeightKg INTEGER);
CREATE TABLE SalesTerritory (TerritoryID INTEGER PRIMARY KEY, TerritoryName TEXT, TargetAmount REAL);
CREATE TABLE Timesheet (TimesheetID INTEGER PRIMARY KEY, EmployeeID INTEGER REFERENCES Employee(EmployeeID), WorkDate TEXT, HoursWorked REAL);
CREATE TABLE Currency (CurrencyCode TEXT PRIMARY KEY, CurrencyName TEXT);
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES Invoice(InvoiceID), paid_on TEXT, amount REAL, method TEXT);
CREATE TABLE price_list_entry (price_list_id INTEGER REFERENCES PriceList(PriceListID), product_id INTEGER REFERENCES Product(ProductID), price REAL, PRIMARY KEY (price_list_id, product_id));
CREATE TABLE Employee (EmployeeID INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, JobTitle TEXT, HireDate TEXT, MonthlySalary REAL, DepartmentID INTEGER REFERENCES Department(DepartmentID), ManagerID INTEGER REFERENCES Employee(EmployeeID));
CREATE TABLE bom_component (bom_id INTEGER REFERENCES BillOfMaterial(BomID), position INTEGER, component_name TEXT, quantity REAL, PRIMARY KEY (bom_id, position));
CREATE TABLE Product (ProductID INTEGER PRIMARY KEY, ProductName TEXT NOT NULL, category_id INTEGER REFERENCES product_category(category_id), ListPrice REAL, DiscontinuedOn TEXT);
CREATE TABLE SalesOrder (SalesOrderID INTEGER PRIMARY KEY, CustomerID INTEGER NOT NULL REFERENCES Customer(CustomerID), SalesRepID INTEGER REFERENCES Employee(EmployeeID), OrderDate TEXT, OrderStatus TEXT);
CREATE TABLE product_category (category_id INTEGER PRIMARY KEY, category_name TEXT);
CREATE TABLE QualityCheck (CheckID INTEGER PRIMARY KEY, ProductionOrderID INTEGER REFERENCES ProductionOrder(ProductionOrderID), Result TEXT);
CREATE TABLE DiscountRule (RuleID INTEGER PRIMARY KEY, RuleName TEXT, MinQuantity INTEGER, DiscountPercent REAL);
CREATE TABLE Supplier (SupplierID INTEGER PRIMARY KEY, SupplierName TEXT, Country TEXT, Rating INTEGER);
CREATE TABLE Campaign (CampaignID INTEGER PRIMARY KEY, CampaignName TEXT, Channel TEXT, Budget REAL, StartDate TEXT);
CREATE TABLE GoodsReceipt (ReceiptID INTEGER PRIMARY KEY, po_id INTEGER REFERENCES purchase_order(po_id), ReceivedBy INTEGER REFERENCES Employee(EmployeeID));
CREATE TABLE bank_statement (statement_id INTEGER PRIMARY KEY, bank_account_id INTEGER REFERENCES BankAccount(BankAccountID), statement_date TEXT, closing_balance REAL);
CREATE TABLE purchase_order_line (po_id INTEGER NOT NULL REFERENCES purchase_order(po_id), line_no INTEGER NOT NULL, product_id INTEGER REFERENCES Product(ProductID), quantity INTEGER, unit_cost REAL, PRIMARY KEY (po_id, line_no));
CREATE TABLE ReturnNote (ReturnID INTEGER PRIMARY KEY, InvoiceID INTEGER REFERENCES Invoice(InvoiceID), Reason TEXT);
CREATE TABLE BankAccount (BankAccountID INTEGER PRIMARY KEY, BankName TEXT, IBAN TEXT, CurrencyCode TEXT);
CREATE TABLE UserAccount (UserName TEXT PRIMARY KEY, EmployeeID INTEGER REFERENCES Employee(EmployeeID), LastLogin TEXT);
CREATE TABLE expense_claim (expense_id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES Employee(EmployeeID), expense_date TEXT, purpose TEXT, amount REAL);
CREATE TABLE ContactPerson (ContactID INTEGER PRIMARY KEY, CustomerID INTEGER REFERENCES Customer(CustomerID), FullName TEXT, Position TEXT);
CREATE TABLE Lead (LeadID INTEGER PRIMARY KEY, CompanyName TEXT, Source TEXT, CreatedOn TEXT);
CREATE TABLE asset_register (asset_id INTEGER PRIMARY KEY, asset_name TEXT, purchase_value REAL, depreciation_years INTEGER);
CREATE TABLE Customer (CustomerID INTEGER PRIMARY KEY, CustomerName TEXT NOT NULL, City TEXT, Country TEXT, CreditLimit REAL, CustomerGroupID INTEGER REFERENCES CustomerGroup(CustomerGroupID), Email TEXT, CreatedOn TEXT);
CREATE TABLE FiscalPeriod (PeriodCode TEXT PRIMARY KEY, StartDate TEXT, EndDate TEXT, IsClosed INTEGER);
CREATE TABLE Carrier (CarrierID INTEGER PRIMARY KEY, CarrierName TEXT);
CREATE TABLE Department (DepartmentID INTEGER PRIMARY KEY, DepartmentName TEXT, CostCenterID INTEGER REFERENCES CostCenter(CostCenterID));
CREATE TABLE Machine (MachineID INTEGER PRIMARY KEY, MachineName TEXT, WorkCenterID INTEGER REFERENCES WorkCenter(WorkCenterID), PurchasedOn TEXT);
CREATE TABLE production_step (production_order_id INTEGER REFERENCES ProductionOrder(ProductionOrderID), step_no INTEGER, work_center_id INTEGER REFERENCES WorkCenter(WorkCenterID), PRIMARY KEY (production_order_id, step_no));
CREATE TABLE PaymentTerm (PaymentTermID INTEGER PRIMARY KEY, TermName TEXT, NetDays INTEGER);
CREATE TABLE customer_address (address_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES Customer(CustomerID), address_type TEXT, street TEXT, postcode TEXT);
CREATE TABLE maintenance_job (job_id INTEGER PRIMARY KEY, machine_id INTEGER REFERENCES Machine(MachineID), planned_on TEXT, done_on TEXT);
CREATE TABLE WorkCenter (WorkCenterID INTEGER PRIMARY KEY, WorkCenterName TEXT, HoursPerDay REAL);
CREATE TABLE Invoice (InvoiceID INTEGER PRIMARY KEY, SalesOrderID INTEGER REFERENCES SalesOrder(SalesOrderID), InvoiceDate TEXT, DueDate TEXT, TotalAmount REAL);
CREATE TABLE PriceList (PriceListID INTEGER PRIMARY KEY, PriceListName TEXT, ValidFrom TEXT);
CREATE TABLE Delivery (DeliveryID INTEGER PRIMARY KEY, CarrierID INTEGER REFERENCES Carrier(CarrierID), DispatchedOn TEXT);
CREATE TABLE BillOfMaterial (BomID INTEGER PRIMARY KEY, ProductID INTEGER REFERENCES Product(ProductID), Revision TEXT);
CREATE TABLE PayrollRun (PayrollRunID INTEGER PRIMARY KEY, RunMonth TEXT, ApprovedBy INTEGER REFERENCES Employee(EmployeeID));
CREATE TABLE ProductionOrder (ProductionOrderID INTEGER PRIMARY KEY, BomID INTEGER REFERENCES BillOfMaterial(BomID), PlannedQuantity INTEGER, StartDate TEXT);
CREATE TABLE purchase_order (po_id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES Supplier(SupplierID), order_date TEXT, expected_date TEXT, received_date TEXT);
CREATE TABLE leave_request (leave_id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES Employee(EmployeeID), leave_type TEXT, start_date TEXT, end_date TEXT, approved INTEGER);
CREATE TABLE supplier_contract (contract_id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES Supplier(SupplierID), valid_until TEXT, min_volume INTEGER);
CREATE TABLE JournalEntry (EntryID INTEGER PRIMARY KEY, PostingDate TEXT, Narrative TEXT);
CREATE TABLE Project (ProjectID INTEGER PRIMARY KEY, ProjectName TEXT, ProjectLeadID INTEGER REFERENCES Employee(EmployeeID), Deadline TEXT);
CREATE TABLE CustomerGroup (CustomerGroupID INTEGER PRIMARY KEY, GroupName TEXT);
CREATE TABLE project_task (task_id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES Project(ProjectID), task_name TEXT, finished INTEGER);
CREATE TABLE CostCenter (CostCenterID INTEGER PRIMARY KEY, CostCenterName TEXT, annual_budget REAL);
CREATE TABLE TrainingCourse (CourseID INTEGER PRIMARY KEY, CourseTitle TEXT, DurationDays INTEGER);
CREATE TABLE StockMovement (MovementID INTEGER PRIMARY KEY, ProductID INTEGER REFERENCES Product(ProductID), BinCode TEXT REFERENCES StorageBin(BinCode), MovedOn TEXT, QuantityChange INTEGER);
CREATE TABLE opportunity (opportunity_id INTEGER PRIMARY KEY, lead_id INTEGER REFERENCES Lead(LeadID), title TEXT, expected_value REAL, stage TEXT);
CREATE TABLE Warehouse (WarehouseID INTEGER PRIMARY KEY, WarehouseName TEXT, City TEXT);
CREATE TABLE exchange_rate (from_currency TEXT, to_currency TEXT, rate_date TEXT, rate REAL, PRIMARY KEY (from_currency, to_currency, rate_date));
CREATE TABLE SalesOrderItem (SalesOrderID INTEGER NOT NULL REFERENCES SalesOrder(SalesOrderID), ItemNo INTEGER NOT NULL, ProductID INTEGER REFERENCES Product(ProductID), Quantity INTEGER, UnitPrice REAL, PRIMARY KEY (SalesOrderID, ItemNo));
CREATE TABLE SupplierContact (SupplierContactID INTEGER PRIMARY KEY, SupplierID INTEGER REFERENCES Supplier(SupplierID), FullName TEXT);
CREATE TABLE goods_receipt_line (receipt_id INTEGER REFERENCES GoodsReceipt(ReceiptID), line_no INTEGER, quantity_accepted INTEGER, quantity_rejected INTEGER, PRIMARY KEY (receipt_id, line_no));
CREATE TABLE gl_account (account_no INTEGER PRIMARY KEY, account_name TEXT, account_type TEXT);
INSERT INTO TaxRate VALUES
('STD',20.0,'standard rate'),
('RED',5.0,'reduced rate'),
('ZERO',0.0,'zero rated');
INSERT INTO journal_entry_line VALUES
(1,1,5000,820.0,NULL),
(1,2,1000,NULL,820.0),
(2,1,5000,640.5,NULL),
(2,2,1000,NULL,640.5);
INSERT INTO StorageBin VALUES
('A-01',1,800),
('A-02',1,800),
('C-07',3,1200);
INSERT INTO SalesTerritory VALUES
(1,'British Isles',300000.0),
(2,'Central Europe',220000.0),
(3,'Southern Europe',90000.0);
INSERT INTO Timesheet VALUES
(1,15,'2024-09-02',8.0),
(2,16,'2024-09-02',7.5);
INSERT INTO Currency VALUES
('GBP','Pound Sterling'),
('EUR','Euro'),
('USD','US Dollar');
INSERT INTO payment VALUES
(1,70001,'2023-01-06',5230.48,'bank transfer'),
(2,70001,'2022-12-31',7845.72,'card'),
(3,70002,'2022-12-26',2946.6,'bank transfer'),
(4,70004,'2023-02-12',250.68,'bank transfer'),
(5,70004,'2023-03-12',376.02,'card'),
(6,70005,'2023-02-17',3482.9,'card'),
(7,70007,'2023-03-09',2468.2,'bank transfer'),
(8,70008,'2023-03-22',2137.04,'card'),
(9,70008,'2023-03-11',3205.56,'card'),
(10,70009,'2023-02-27',13252.0,'card'),
(11,70010,'2023-05-16',402.66,'card'),
(12,70010,'2023-06-05',603.99,'bank transfer'),
(13,70011,'2023-06-12',601.1,'bank transfer'),
(14,70011,'2023-06-01',901.65,'bank transfer'),
(15,70014,'2023-06-10',2440.0,'bank transfer'),
(16,70015,'2023-06-22',634.7,'card'),
(17,70016,'2023-07-02',715.32,'direct debit'),
(18,70016,'2023-07-24',1072.98,'bank transfer'),
(19,70017,'2023-07-17',2799.68,'card'),
(20,70017,'2023-07-16',4199.52,'card'),
(21,70019,'2023-09-05',5321.5,'bank transfer'),
(22,70020,'2023-09-05',9432.0,'card'),
(23,70021,'2023-08-20',2124.46,'bank transfer'),
(24,70021,'2023-09-06',3186.69,'direct debit'),
(25,70022,'2023-09-28',238.2,'bank transfer'),
(26,70024,'2023-10-26',373.4,'card'),
(27,70025,'2023-10-23',2747.5,'bank transfer'),
(28,70027,'2023-11-05',3571.0,'bank transfer'),
(29,70028,'2023-11-12',2894.4,'bank transfer'),
(30,70032,'2023-11-29',1214.4,'direct debit'),
(31,70032,'2024-01-11',1821.6,'card'),
(32,70034,'2024-01-22',66.6,'bank transfer'),
(33,70035,'2024-01-27',1035.0,'card'),
(34,70036,'2024-01-28',6904.0,'direct debit'),
(35,70037,'2024-02-09',669.5,'bank transfer'),
(36,70038,'2024-02-17',1453.6,'direct debit'),
(37,70039,'2024-03-11',4864.8,'bank transfer'),
(38,70040,'2024-04-20',9465.6,'bank transfer'),
(39,70041,'2024-05-06',473.1,'direct debit'),
(40,70042,'2024-04-25',4431.0,'bank transfer'),
(41,70043,'2024-05-10',6015.6,'card'),
(42,70044,'2024-04-21',626.52,'card'),
(43,70044,'2024-05-18',939.78,'direct debit'),
(44,70046,'2024-07-03',215.3,'card'),
(45,70048,'2024-07-21',1412.6,'direct debit'),
(46,70048,'2024-07-28',2118.9,'bank transfer'),
(47,70049,'2024-07-16',2633.4,'bank transfer'),
(48,70050,'2024-08-10',7270.6,'direct debit'),
(49,70051,'2024-09-08',2160.0,'direct debit'),
(50,70053,'2024-09-14',357.0,'direct debit');
INSERT INTO price_list_entry VALUES
(2,1,169.0),
(2,11,49.0);
INSERT INTO Employee VALUES
(1,'Philippa','Strand','Managing Director','2008-05-01',11500.0,NULL,NULL),
(2,'Gareth','Bowen','Head of Sales','2012-03-12',7200.0,1,1),
(3,'Simone','Achterberg','Head of Purchasing','2015-08-03',6900.0,2,1),
(4,'Ravi','Menon','Finance Director','2011-01-17',8400.0,3,1),
(5,'Ulrike','Tauber','Plant Manager','2014-10-06',7600.0,4,1),
(6,'Colm','Brady','HR Manager','2018-02-26',6100.0,5,1),
(7,'Nina','Falk','Sales Representative','2019-06-11',4100.0,1,2),
(8,'Oliver','Quist','Sales Representative','2016-09-05',4450.0,1,2),
(9,'Tamsin','Leigh','Sales Representative','2022-01-10',3800.0,1,2),
(10,'Jorge','Almeda','Sales Representative','2024-02-05',3600.0,1,2),
(11,'Beata','Mroz','Buyer','2017-04-24',3950.0,2,3),
(12,'Henry','Castle','Buyer','2023-07-03',3550.0,2,3),
(13,'Lotte','Vermeer','Accountant','2013-11-18',4700.0,3,4),
(14,'Samuel','Adeyemi','Accountant','2020-05-04',4300.0,3,4),
(15,'Kurt','Weiland','Assembler','2010-09-13',3300.0,4,5),
(16,'Maria','Donati','Assembler','2015-03-30',3150.0,4,5),
(17,'Ewan','Frost','Assembler','2021-10-18',2900.0,4,5),
(18,'Agnes','Holm','Assembler','2023-09-11',2850.0,4,5),
(19,'Priti','Shah','Quality Inspector','2018-12-03',3700.0,4,5);
INSERT INTO bom_component VALUES
(1,1,'Gas lift',1.0),
(1,2,'Castor',5.0),
(2,1,'Electric column',2.0);
INSERT INTO Product VALUES
(1,'Comet Task Chair',1,189.0,NULL),
(2,'Halo Visitor Chair',1,119.0,NULL),
(3,'Orbit Stool',1,74.0,'2023-11-30'),
(4,'Atlas Lounge Chair',1,420.0,NULL),
(5,'Meridian Desk 140',2,310.0,NULL),
(6,'Meridian Desk 180',2,365.0,NULL),
(7,'Lift Standing Desk',2,649.0,NULL),
(8,'Tower Cabinet',3,275.0,NULL),
(9,'Roll Pedestal',3,148.0,NULL),
(10,'Open Shelf Unit',3,205.0,'2024-05-31'),
(11,'Beam Desk Light',4,58.0,NULL),
(12,'Aura Floor Lamp',4,132.0,NULL),
(13,'Cable Tray',5,24.5,NULL),
(14,'Monitor Arm',5,96.0,NULL),
(15,'Footrest Basic',5,32.0,'2022-06-30'),
(16,'Acoustic Panel',5,83.0,NULL);
INSERT INTO SalesOrder VALUES
(2001,2,8,'2022-11-18','Completed'),
(2002,18,8,'2022-11-23','Completed'),
(2003,6,7,'2022-12-01','Cancelled'),
(2004,17,7,'2022-12-07','Completed'),
(2005,2,8,'2023-01-06','Completed'),
(2006,15,8,'2023-01-07','Completed'),
(2007,7,8,'2023-01-20','Completed'),
(2008,13,8,'2023-01-20','Completed'),
(2009,5,8,'2023-02-06','Completed'),
(2010,15,7,'2023-02-06','Completed'),
(2011,5,8,'2023-04-14','Completed'),
(2012,14,8,'2023-04-28','Completed'),
(2013,1,7,'2023-05-05','Completed'),
(2014,7,7,'2023-05-08','Completed'),
(2015,3,9,'2023-05-09','Completed'),
(2016,6,8,'2023-05-21','Completed'),
(2017,6,7,'2023-05-26','Completed'),
(2018,15,7,'2023-06-02','Completed'),
(2019,10,7,'2023-06-06','Completed'),
(2020,2,8,'2023-07-28','Completed'),
(2021,4,8,'2023-07-29','Completed'),
(2022,4,8,'2023-07-29','Completed'),
(2023,8,7,'2023-08-19','Completed'),
(2024,1,8,'2023-08-21','Cancelled'),
(2025,4,8,'2023-08-25','Completed'),
(2026,5,8,'2023-09-22','Completed'),
(2027,5,7,'2023-09-24','Completed'),
(2028,17,7,'2023-09-26','Completed'),
(2029,7,8,'2023-09-26','Completed'),
(2030,12,9,'2023-10-01','Completed'),
(2031,12,7,'2023-10-09','Completed'),
(2032,13,9,'2023-10-15','Completed'),
(2033,6,8,'2023-10-16','Completed'),
(2034,1,9,'2023-10-19','Cancelled'),
(2035,7,8,'2023-10-20','Cancelled'),
(2036,3,8,'2023-10-26','Completed'),
(2037,8,8,'2023-11-10','Completed'),
(2038,15,7,'2023-12-09','Completed'),
(2039,14,8,'2023-12-10','Completed'),
(2040,1,7,'2023-12-27','Cancelled'),
(2041,7,8,'2024-01-03','Completed'),
(2042,15,9,'2024-01-09','Completed'),
(2043,10,7,'2024-01-13','Completed'),
(2044,5,8,'2024-01-31','Cancelled'),
(2045,10,7,'2024-02-22','Completed'),
(2046,4,10,'2024-02-29','Completed'),
(2047,7,9,'2024-03-25','Completed'),
(2048,3,9,'2024-03-26','Completed'),
(2049,13,9,'2024-03-27','Completed'),
(2050,7,9,'2024-03-31','Completed'),
(2051,11,7,'2024-05-05','Completed'),
(2052,15,7,'2024-05-25','Completed'),
(2053,1,10,'2024-05-31','Completed'),
(2054,1,7,'2024-06-08','Cancelled'),
(2055,5,7,'2024-06-14','Completed'),
(2056,1,8,'2024-06-16','Completed'),
(2057,8,9,'2024-07-08','Completed'),
(2058,6,9,'2024-07-26','Completed'),
(2059,4,10,'2024-07-31','Completed'),
(2060,12,7,'2024-08-10','Completed'),
(2061,10,7,'2024-08-17','Completed'),
(2062,12,7,'2024-08-29','Completed'),
(2063,10,10,'2024-10-07','Open'),
(2064,1,8,'2024-10-15','Open'),
(2065,3,7,'2024-10-18','Open'),
(2066,1,8,'2024-10-18','Cancelled'),
(2067,15,9,'2024-10-22','Open'),
(2068,1,9,'2024-11-15','Open'),
(2069,18,8,'2024-11-15','Open'),
(2070,15,7,'2024-11-28','Open');
INSERT INTO product_category VALUES
(1,'Seating'),
(2,'Desks'),
(3,'Storage'),
(4,'Lighting'),
(5,'Accessories'),
(6,'Outdoor');
INSERT INTO QualityCheck VALUES
(1,1,'pass');
INSERT INTO DiscountRule VALUES
(1,'Ten plus',10,5.0),
(2,'Fifty plus',50,10.0);
INSERT INTO Supplier VALUES
(1,'Norwood Timber','United Kingdom',4),
(2,'Acciaio Brescia','Italy',5),
(3,'Textil Krone','Germany',3),
(4,'Shenlong Lighting','China',2),
(5,'Foamtech Ireland','Ireland',4),
(6,'Glas Huber','Austria',5),
(7,'Baltic Board','Estonia',3);
INSERT INTO Campaign VALUES
(1,'Back to Work','email',3500.0,'2024-01-08'),
(2,'Sit Better','social media',8200.0,'2024-04-15'),
(3,'Autumn Promotion','print',5100.0,'2024-09-02');
INSERT INTO GoodsReceipt VALUES
(1,501,11),
(2,502,12);
INSERT INTO bank_statement VALUES
(1,1,'2024-09-30',184220.4),
(2,2,'2024-09-30',52917.15);
INSERT INTO purchase_order_line VALUES
(501,1,10,80,102.16),
(501,2,15,25,12.04),
(501,3,2,30,56.97),
(502,1,5,50,142.44),
(503,1,12,20,68.04),
(504,1,15,40,16.7),
(504,2,16,50,43.69),
(505,1,5,25,157.25),
(506,1,16,10,29.09),
(507,1,4,50,185.59),
(508,1,2,80,51.98),
(509,1,5,30,160.07),
(509,2,14,10,37.9),
(509,3,1,50,84.41),
(510,1,11,50,22.69),
(510,2,12,10,60.54),
(510,3,15,40,18.54),
(511,1,9,80,75.73),
(512,1,5,50,162.92),
(512,2,10,10,120.24),
(513,1,6,40,134.39),
(514,1,14,25,38.81),
(514,2,6,20,193.18),
(514,3,8,25,151.27),
(515,1,14,30,36.32),
(515,2,6,10,182.22),
(515,3,11,20,28.51),
(516,1,10,10,91.66),
(516,2,11,25,20.44),
(516,3,9,80,88.79),
(517,1,9,20,80.31),
(517,2,7,20,379.66),
(518,1,1,20,88.53),
(518,2,10,50,122.4),
(519,1,6,80,161.4),
(520,1,8,30,115.54),
(520,2,4,20,241.33),
(521,1,13,50,12.83),
(522,1,1,80,108.88),
(523,1,5,25,131.5),
(524,1,10,10,86.86),
(525,1,6,20,133.87),
(526,1,11,20,32.15),
(526,2,3,10,33.98),
(527,1,7,10,239.56),
(527,2,14,40,37.35),
(528,1,7,25,259.31),
(529,1,5,50,183.04),
(529,2,7,80,319.34),
(529,3,2,10,70.09),
(530,1,7,80,319.76),
(531,1,14,20,46.97),
(531,2,12,40,62.72),
(532,1,15,10,15.73),
(533,1,11,25,32.81),
(533,2,14,10,37.68),
(534,1,1,80,110.79),
(535,1,7,40,325.42),
(536,1,3,20,37.4),
(536,2,4,50,161.09),
(537,1,2,50,42.77),
(538,1,14,80,46.31),
(538,2,3,25,26.39);
INSERT INTO ReturnNote VALUES
(1,70003,'wrong colour');
INSERT INTO BankAccount VALUES
(1,'Severn Bank','GB00SEVN0001','GBP'),
(2,'Rheinkasse','DE00RHEI0002','EUR');
INSERT INTO UserAccount VALUES
('lvermeer',13,'2024-09-30'),
('gbowen',2,NULL);
INSERT INTO expense_claim VALUES
(1,7,'2024-04-18','trade fair travel',412.6),
(2,8,'2024-06-07','customer dinner',138.2),
(3,11,'2024-09-24','supplier visit',267.9);
INSERT INTO ContactPerson VALUES
(1,3,'Maeve Tully','Office Manager'),
(2,8,'Dieter Koch','Owner'),
(3,10,'Chantal Reid','Buyer');
INSERT INTO Lead VALUES
(1,'Summit Gyms','trade fair','2024-03-14'),
(2,'Parlour Hair','website','2024-05-02'),
(3,'Bluecoat Academy','website','2024-08-19');
INSERT INTO asset_register VALUES
(1,'Delivery Van',31500.0,6),
(2,'Forklift',22800.0,8);
INSERT INTO Customer VALUES
(1,'Arbor Home Stores','Bristol','United Kingdom',40000.0,2,'buying@arbor.example','2019-11-17'),
(2,'Brightwell Schools Trust','Leicester','United Kingdom',15000.0,3,'buying@brightwell.example','2022-01-13'),
(3,'Cobalt Office Supply','Dublin','Ireland',20000.0,1,'buying@cobalt.example','2022-12-10'),
(4,'Dunmore Hotels','Galway','Ireland',5000.0,2,NULL,'2017-07-12'),
(5,'Eastgate Council','Norwich','United Kingdom',20000.0,3,'buying@eastgate.example','2017-07-25'),
(6,'Fabrik Neun','Stuttgart','Germany',40000.0,4,'buying@fabrik.example','2022-08-09'),
(7,'Galerie Lumen','Paris','France',5000.0,2,'buying@galerie.example','2021-10-17'),
(8,'Hartmann & Koch','Munich','Germany',60000.0,1,'buying@hartmann.example','2019-11-18'),
(9,'Isola Design','Milan','Italy',20000.0,2,NULL,'2017-01-31'),
(10,'Juniper Online','Manchester','United Kingdom',25000.0,4,'buying@juniper.example','2022-11-21'),
(11,'Kranich Handel','Hanover','Germany',5000.0,1,'buying@kranich.example','2023-04-29'),
(12,'Linden Clinic','Graz','Austria',25000.0,3,NULL,'2022-05-01'),
(13,'Maison Perrault','Nantes','France',20000.0,1,'buying@maison.example','2017-05-03'),
(14,'Nightingale Books','Oxford','United Kingdom',5000.0,2,'buying@nightingale.example','2022-03-30'),
(15,'Orchard Living','Cork','Ireland',5000.0,4,'buying@orchard.example','2016-09-12'),
(16,'Pinewood Studios Cafe','London','United Kingdom',10000.0,2,'buying@pinewood.example','2023-02-19'),
(17,'Quayside Rentals','Hull','United Kingdom',10000.0,1,NULL,'2016-06-23'),
(18,'Rivoli Arredi','Bologna','Italy',15000.0,1,'buying@rivoli.example','2018-10-21');
INSERT INTO FiscalPeriod VALUES
('2024Q1','2024-01-01','2024-03-31',1),
('2024Q2','2024-04-01','2024-06-30',1),
('2024Q3','2024-07-01','2024-09-30',0);
INSERT INTO Carrier VALUES
(1,'Swift Parcels'),
(2,'Moorland Freight');
INSERT INTO Department VALUES
(1,'Sales',10),
(2,'Purchasing',20),
(3,'Finance',30),
(4,'Production',40),
(5,'Human Resources',50),
(6,'Legal',60);
INSERT INTO Machine VALUES
(1,'Panel Saw PS3',1,'2015-02-10'),
(2,'CNC Router R2',1,'2021-07-19'),
(3,'Sewing Station 4',2,'2018-11-05');
INSERT INTO production_step VALUES
(1,1,2),
(1,2,3);
INSERT INTO PaymentTerm VALUES
(1,'Net 14',14),
(2,'Net 30',30),
(3,'Net 60',60);
INSERT INTO customer_address VALUES
(1,3,'delivery','14 Wharf Lane','D02 X1'),
(2,8,'billing','Lindenring 7','80331');
INSERT INTO maintenance_job VALUES
(1,1,'2024-03-04','2024-03-06'),
(2,2,'2024-10-14',NULL);
INSERT INTO WorkCenter VALUES
(1,'Cutting',16.0),
(2,'Upholstery',8.0),
(3,'Final Assembly',16.0);
INSERT INTO Invoice VALUES
(70001,2001,'2022-12-06','2023-01-05',13076.2),
(70002,2002,'2022-11-26','2022-12-26',2946.6),
(70003,2004,'2022-12-17','2023-01-16',6200.0),
(70004,2005,'2023-01-26','2023-02-25',626.7),
(70005,2006,'2023-01-15','2023-02-14',3482.9),
(70006,2007,'2023-02-03','2023-03-05',9038.6),
(70007,2008,'2023-01-30','2023-03-01',2468.2),
(70008,2009,'2023-02-10','2023-03-12',5342.6),
(70009,2010,'2023-02-18','2023-03-20',13252.0),
(70010,2011,'2023-04-24','2023-05-24',1006.65),
(70011,2012,'2023-05-06','2023-06-05',1502.75),
(70012,2013,'2023-05-08','2023-06-07',1680.0),
(70013,2014,'2023-05-20','2023-06-19',2179.6),
(70014,2015,'2023-05-16','2023-06-15',2440.0),
(70015,2016,'2023-05-23','2023-06-22',634.7),
(70016,2017,'2023-06-11','2023-07-11',1788.3),
(70017,2018,'2023-06-17','2023-07-17',6999.2),
(70018,2019,'2023-06-21','2023-07-21',1485.5),
(70019,2020,'2023-08-13','2023-09-12',5321.5),
(70020,2021,'2023-08-13','2023-09-12',9432.0),
(70021,2022,'2023-08-10','2023-09-09',5311.15),
(70022,2023,'2023-09-06','2023-10-06',238.2),
(70023,2025,'2023-09-14','2023-10-14',4902.0),
(70024,2026,'2023-09-25','2023-10-25',373.4),
(70025,2027,'2023-09-30','2023-10-30',2747.5),
(70026,2028,'2023-10-09','2023-11-08',257.8),
(70027,2029,'2023-10-13','2023-11-12',3571.0),
(70028,2030,'2023-10-14','2023-11-13',2894.4),
(70029,2031,'2023-10-21','2023-11-20',3561.2),
(70030,2032,'2023-11-02','2023-12-02',5560.25),
(70031,2033,'2023-10-22','2023-11-21',3652.3),
(70032,2036,'2023-11-14','2023-12-14',3036.0),
(70033,2037,'2023-11-18','2023-12-18',3874.2),
(70034,2038,'2023-12-28','2024-01-27',66.6),
(70035,2039,'2023-12-18','2024-01-17',1035.0),
(70036,2041,'2024-01-18','2024-02-17',6904.0),
(70037,2042,'2024-01-20','2024-02-19',669.5),
(70038,2043,'2024-01-24','2024-02-23',1453.6),
(70039,2045,'2024-02-25','2024-03-26',4864.8),
(70040,2046,'2024-03-14','2024-04-13',9465.6),
(70041,2047,'2024-04-09','2024-05-09',473.1),
(70042,2048,'2024-03-29','2024-04-28',4431.0),
(70043,2049,'2024-04-06','2024-05-06',6015.6),
(70044,2050,'2024-04-08','2024-05-08',1566.3),
(70045,2051,'2024-05-07','2024-06-06',1152.0),
(70046,2052,'2024-06-08','2024-07-08',215.3),
(70047,2053,'2024-06-11','2024-07-11',13824.55),
(70048,2055,'2024-06-18','2024-07-18',3531.5),
(70049,2056,'2024-06-27','2024-07-27',2633.4),
(70050,2057,'2024-07-10','2024-08-09',7270.6),
(70051,2058,'2024-07-30','2024-08-29',2160.0),
(70052,2059,'2024-08-08','2024-09-07',9634.8),
(70053,2060,'2024-08-16','2024-09-15',357.0),
(70054,2061,'2024-08-30','2024-09-29',2997.6),
(70055,2062,'2024-09-15','2024-10-15',1719.9);
INSERT INTO PriceList VALUES
(1,'Standard 2024','2024-01-01'),
(2,'Autumn Promotion','2024-09-01');
INSERT INTO Delivery VALUES
(1,1,'2024-09-05'),
(2,2,'2024-09-09');
INSERT INTO BillOfMaterial VALUES
(1,1,'C'),
(2,7,'B');
INSERT INTO PayrollRun VALUES
(1,'2024-08',4),
(2,'2024-09',4);
INSERT INTO ProductionOrder VALUES
(1,1,40,'2024-10-01'),
(2,2,15,'2024-10-07');
INSERT INTO purchase_order VALUES
(501,1,'2023-01-21','2023-02-01','2023-02-02'),
(502,5,'2023-02-22','2023-03-20','2023-03-19'),
(503,2,'2023-03-24','2023-04-21','2023-04-17'),
(504,2,'2023-03-28','2023-05-03','2023-05-01'),
(505,3,'2023-04-07','2023-05-10','2023-05-06'),
(506,2,'2023-04-12','2023-04-23','2023-04-19'),
(507,4,'2023-04-14','2023-05-13',NULL),
(508,4,'2023-04-27','2023-05-28','2023-05-28'),
(509,4,'2023-05-17','2023-06-16','2023-06-17'),
(510,3,'2023-05-29','2023-06-20','2023-07-02'),
(511,5,'2023-06-04','2023-06-25','2023-06-23'),
(512,2,'2023-06-16','2023-07-17','2023-07-17'),
(513,4,'2023-07-02','2023-07-27','2023-08-08'),
(514,6,'2023-07-07','2023-08-08','2023-08-08'),
(515,2,'2023-08-02','2023-08-15','2023-08-14'),
(516,6,'2023-08-14','2023-09-16','2023-09-12'),
(517,3,'2023-10-20','2023-11-15',NULL),
(518,1,'2023-10-22','2023-11-12','2023-11-12'),
(519,2,'2023-10-28','2023-11-13',NULL),
(520,6,'2023-12-24','2024-01-19','2024-01-15'),
(521,5,'2024-01-16','2024-02-23','2024-02-23'),
(522,2,'2024-01-22','2024-02-26','2024-02-25'),
(523,4,'2024-01-24','2024-03-02','2024-03-03'),
(524,5,'2024-01-31','2024-03-07',NULL),
(525,6,'2024-02-02','2024-02-16','2024-02-15'),
(526,3,'2024-02-11','2024-03-09','2024-03-05'),
(527,1,'2024-03-16','2024-04-02',NULL),
(528,5,'2024-04-27','2024-05-08','2024-05-07'),
(529,1,'2024-04-29','2024-05-29','2024-05-30'),
(530,1,'2024-06-18','2024-07-02','2024-07-03'),
(531,6,'2024-07-16','2024-08-11','2024-08-09'),
(532,1,'2024-07-31','2024-08-12','2024-08-24'),
(533,3,'2024-08-11','2024-09-18','2024-09-19'),
(534,4,'2024-08-13','2024-08-26','2024-08-29'),
(535,4,'2024-09-22','2024-10-14','2024-10-10'),
(536,1,'2024-09-30','2024-10-11','2024-10-07'),
(537,6,'2024-10-06','2024-11-01','2024-11-01'),
(538,5,'2024-11-18','2024-12-21',NULL);
INSERT INTO leave_request VALUES
(1,4,'annual leave','2024-01-17','2024-01-18',NULL),
(2,15,'parental leave','2024-02-01','2024-02-10',NULL),
(3,15,'annual leave','2024-02-06','2024-02-08',1),
(4,8,'training','2024-02-22','2024-02-26',1),
(5,2,'training','2024-02-29','2024-02-29',1),
(6,17,'annual leave','2024-03-11','2024-03-12',1),
(7,15,'sick leave','2024-04-02','2024-04-11',1),
(8,5,'annual leave','2024-04-16','2024-04-29',1),
(9,19,'annual leave','2024-05-17','2024-05-18',NULL),
(10,12,'annual leave','2024-05-18','2024-05-27',1),
(11,12,'sick leave','2024-06-04','2024-06-08',1),
(12,18,'annual leave','2024-06-16','2024-06-20',1),
(13,9,'annual leave','2024-06-28','2024-06-29',0),
(14,7,'annual leave','2024-07-19','2024-08-01',1),
(15,16,'annual leave','2024-07-24','2024-07-24',1),
(16,2,'annual leave','2024-07-28','2024-08-01',1),
(17,11,'annual leave','2024-08-04','2024-08-06',1),
(18,2,'annual leave','2024-08-05','2024-08-06',1),
(19,13,'sick leave','2024-08-11','2024-08-20',1),
(20,8,'annual leave','2024-08-12','2024-08-16',0),
(21,17,'sick leave','2024-08-18','2024-08-22',1),
(22,19,'annual leave','2024-08-26','2024-09-08',1),
(23,18,'sick leave','2024-08-27','2024-08-27',1),
(24,10,'training','2024-09-01','2024-09-03',1),
(25,12,'annual leave','2024-09-12','2024-09-16',1),
(26,16,'training','2024-09-18','2024-10-01',NULL),
(27,11,'sick leave','2024-09-26','2024-09-30',1),
(28,16,'sick leave','2024-10-08','2024-10-21',0),
(29,17,'training','2024-12-02','2024-12-04',0),
(30,6,'annual leave','2024-12-07','2024-12-11',1);
INSERT INTO supplier_contract VALUES
(1,1,'2025-12-31',500),
(2,2,'2025-06-30',200);
INSERT INTO JournalEntry VALUES
(1,'2024-01-31','January close'),
(2,'2024-02-29','February close');
INSERT INTO Project VALUES
(1,'New Webshop',2,'2025-03-31'),
(2,'Warehouse Move',3,'2025-08-15');
INSERT INTO CustomerGroup VALUES
(1,'Wholesale'),
(2,'Retail'),
(3,'Public Sector'),
(4,'Online');
INSERT INTO project_task VALUES
(1,1,'Choose agency',1),
(2,1,'Product photos',0),
(3,2,'Sign lease',0);
INSERT INTO CostCenter VALUES
(10,'CC Sales',240000.0),
(20,'CC Purchasing',90000.0),
(30,'CC Finance',110000.0),
(40,'CC Plant',480000.0),
(50,'CC People',60000.0),
(60,'CC Legal',35000.0);
INSERT INTO TrainingCourse VALUES
(1,'Forklift Licence',3),
(2,'First Aid',1),
(3,'Negotiation Skills',2);
INSERT INTO StockMovement VALUES
(1,1,'A-01','2024-09-02',25),
(2,5,'C-07','2024-09-04',-3);
INSERT INTO opportunity VALUES
(1,1,'Reception refit',18500.0,'proposal'),
(2,3,'Library furniture',42000.0,'negotiation');
INSERT INTO Warehouse VALUES
(1,'Central Store','Bristol'),
(2,'Overflow Depot','Swindon'),
(3,'EU Hub','Ghent');
INSERT INTO exchange_rate VALUES
('GBP','EUR','2024-09-30',1.198),
('GBP','USD','2024-09-30',1.337);
INSERT INTO SalesOrderItem VALUES
(2001,1,8,20,275.0),
(2001,2,7,12,584.1),
(2001,3,1,3,189.0),
(2002,1,12,6,132.0),
(2002,2,1,12,179.55),
(2004,1,5,20,310.0),
(2005,1,2,5,107.1),
(2005,2,14,1,91.2),
(2006,1,16,20,78.85),
(2006,2,3,1,66.6),
(2006,3,5,6,279.0),
(2006,4,11,3,55.1),
(2007,1,10,8,205.0),
(2007,2,7,12,616.55),
(2008,1,2,20,119.0),
(2008,2,13,4,22.05),
(2009,1,10,20,205.0),
(2009,2,2,3,119.0),
(2009,3,12,6,125.4),
(2009,4,9,1,133.2),
(2010,1,7,20,616.55),
(2010,2,12,2,132.0),
(2010,3,6,2,328.5),
(2011,1,10,4,205.0),
(2011,2,13,5,23.27),
(2011,3,3,1,70.3),
(2012,1,11,6,58.0),
(2012,2,14,10,96.0),
(2012,3,10,1,194.75),
(2013,1,4,4,420.0),
(2014,1,3,2,70.3),
(2014,2,10,8,205.0),
(2014,3,4,1,399.0),
(2015,1,14,10,96.0),
(2015,2,9,10,148.0),
(2016,1,1,2,170.1),
(2016,2,5,1,294.5),
(2017,1,12,5,125.4),
(2017,2,3,1,70.3),
(2017,3,16,10,83.0),
(2017,4,11,5,52.2),
(2018,1,9,6,133.2),
(2018,2,5,20,310.0),
(2019,1,6,2,346.75),
(2019,2,12,6,132.0),
(2020,1,12,20,118.8),
(2020,2,6,2,365.0),
(2020,3,9,10,133.2),
(2020,4,5,3,294.5),
(2021,1,1,20,179.55),
(2021,2,7,10,584.1),
(2022,1,13,5,23.27),
(2022,2,5,6,310.0),
(2022,3,8,12,247.5),
(2022,4,14,4,91.2),
(2023,1,14,1,91.2),
(2023,2,13,6,24.5),
(2025,1,16,8,83.0),
(2025,2,6,12,328.5),
(2025,3,3,4,74.0),
(2026,1,11,1,58.0),
(2026,2,16,4,78.85),
(2027,1,9,6,148.0),
(2027,2,11,12,52.2),
(2027,3,7,2,616.55),
(2028,1,11,4,52.2),
(2028,2,13,2,24.5),
(2029,1,16,20,83.0),
(2029,2,12,5,125.4),
(2029,3,6,3,365.0),
(2029,4,1,1,189.0),
(2030,1,14,6,86.4),
(2030,2,12,20,118.8),
(2031,1,6,3,365.0),
(2031,2,7,4,616.55),
(2032,1,10,20,184.5),
(2032,2,16,10,83.0),
(2032,3,6,3,346.75),
(2033,1,3,3,74.0),
(2033,2,1,3,170.1),
(2033,3,6,8,365.0),
(2036,1,4,6,378.0),
(2036,2,14,8,96.0),
(2037,1,14,8,86.4),
(2037,2,3,10,70.3),
(2037,3,5,8,310.0),
(2038,1,3,1,66.6),
(2039,1,5,2,310.0),
(2039,2,16,5,83.0),
(2041,1,12,4,132.0),
(2041,2,4,10,378.0),
(2041,3,7,4,649.0),
(2042,1,3,4,74.0),
(2042,2,16,5,74.7),
(2043,1,2,8,119.0),
(2043,2,12,4,125.4),
(2045,1,14,6,91.2),
(2045,2,11,3,52.2),
(2045,3,6,12,346.75),
(2046,1,4,20,420.0),
(2046,2,9,8,133.2),
(2047,1,16,6,78.85),
(2048,1,9,20,133.2),
(2048,2,5,6,294.5),
(2049,1,9,3,133.2),
(2049,2,7,6,649.0),
(2049,3,5,3,310.0),
(2049,4,12,6,132.0),
(2050,1,3,12,74.0),
(2050,2,2,6,113.05),
(2051,1,14,12,96.0),
(2052,1,9,1,140.6),
(2052,2,16,1,74.7),
(2053,1,7,20,616.55),
(2053,2,6,4,328.5),
(2053,3,1,1,179.55),
(2055,1,4,1,378.0),
(2055,2,16,6,83.0),
(2055,3,11,5,55.1),
(2055,4,2,20,119.0),
(2056,1,3,8,70.3),
(2056,2,10,8,184.5),
(2056,3,2,5,119.0),
(2057,1,4,12,420.0),
(2057,2,3,12,70.3),
(2057,3,6,4,346.75),
(2058,1,1,6,189.0),
(2058,2,3,1,74.0),
(2058,3,2,8,119.0),
(2059,1,6,20,365.0),
(2059,2,3,1,74.0),
(2059,3,12,1,118.8),
(2059,4,2,20,107.1),
(2060,1,2,3,119.0),
(2061,1,14,8,91.2),
(2061,2,1,12,189.0),
(2062,1,1,6,179.55),
(2062,2,3,2,70.3),
(2062,3,12,2,132.0),
(2062,4,2,2,119.0),
(2063,1,1,10,189.0),
(2063,2,13,2,23.27),
(2064,1,7,12,616.55),
(2064,2,11,8,55.1),
(2065,1,6,3,328.5),
(2065,2,9,3,133.2),
(2065,3,10,3,205.0),
(2067,1,10,20,184.5),
(2067,2,11,6,55.1),
(2068,1,14,2,96.0),
(2068,2,11,12,52.2),
(2069,1,9,2,140.6),
(2069,2,3,3,74.0),
(2070,1,11,1,55.1),
(2070,2,2,1,107.1);
INSERT INTO SupplierContact VALUES
(1,1,'Gwen Harker'),
(2,2,'Paolo Zani');
INSERT INTO goods_receipt_line VALUES
(1,1,20,0),
(2,1,28,2);
INSERT INTO gl_account VALUES
(1000,'Cash at Bank','asset'),
(2000,'Trade Creditors','liability'),
(4000,'Furniture Sales','income'),
(5000,'Materials','expense');
