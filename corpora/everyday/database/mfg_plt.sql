CREATE TABLE plt (plt_id INTEGER PRIMARY KEY, nm TEXT, cty TEXT, opn_yr INTEGER);
CREATE TABLE ln (ln_id INTEGER PRIMARY KEY, plt_id INTEGER REFERENCES plt(plt_id), ln_cd TEXT, prod_fam TEXT, cap_hr INTEGER, act INTEGER);
CREATE TABLE mch (mch_id INTEGER PRIMARY KEY, ln_id INTEGER REFERENCES ln(ln_id), mch_nm TEXT, mfr TEXT, mdl TEXT, inst_dt TEXT, pwr_kw REAL, st TEXT);
CREATE TABLE opr (opr_id INTEGER PRIMARY KEY, fn TEXT, lnm TEXT, skl_lvl INTEGER, hire_dt TEXT, term_dt TEXT, wage_hr REAL, ln_id INTEGER REFERENCES ln(ln_id), sup_id INTEGER REFERENCES opr(opr_id));
CREATE TABLE shft (shft_cd TEXT PRIMARY KEY, shft_nm TEXT, beg_tm TEXT, end_tm TEXT, bonus_pct REAL);
CREATE TABLE shft_asg (opr_id INTEGER REFERENCES opr(opr_id), wrk_dt TEXT, shft_cd TEXT REFERENCES shft(shft_cd), mch_id INTEGER REFERENCES mch(mch_id), hrs REAL, PRIMARY KEY (opr_id, wrk_dt));
CREATE TABLE cust (cust_id INTEGER PRIMARY KEY, nm TEXT, cty TEXT, ctry TEXT, cr_lim REAL);
CREATE TABLE prd (prd_id INTEGER PRIMARY KEY, prd_cd TEXT, descr TEXT, wt_kg REAL, lst_prc REAL, disc INTEGER);
CREATE TABLE ord (ord_id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES cust(cust_id), ord_dt TEXT, due_dt TEXT, shp_dt TEXT, st TEXT);
CREATE TABLE ord_ln (ord_id INTEGER REFERENCES ord(ord_id), prd_id INTEGER REFERENCES prd(prd_id), qty INTEGER, unit_prc REAL, PRIMARY KEY (ord_id, prd_id));
CREATE TABLE wo (wo_id INTEGER PRIMARY KEY, prd_id INTEGER REFERENCES prd(prd_id), ln_id INTEGER REFERENCES ln(ln_id), beg_dt TEXT, end_dt TEXT, qty_plan INTEGER, qty_done INTEGER, qty_scrap INTEGER);
CREATE TABLE def_typ (typ_cd TEXT PRIMARY KEY, descr TEXT, sev INTEGER);
CREATE TABLE def_log (def_id INTEGER PRIMARY KEY, wo_id INTEGER REFERENCES wo(wo_id), mch_id INTEGER REFERENCES mch(mch_id), typ_cd TEXT REFERENCES def_typ(typ_cd), fnd_ts TEXT, qty INTEGER, rwk INTEGER, fnd_by INTEGER REFERENCES opr(opr_id));
CREATE TABLE sup (sup_id INTEGER PRIMARY KEY, nm TEXT, cty TEXT, ctry TEXT, rtg REAL, appr INTEGER);
CREATE TABLE prt (prt_id INTEGER PRIMARY KEY, prt_no TEXT, descr TEXT, uom TEXT, stk INTEGER, min_stk INTEGER, std_cst REAL);
CREATE TABLE sup_prt (sup_id INTEGER REFERENCES sup(sup_id), prt_id INTEGER REFERENCES prt(prt_id), prc REAL, lead_days INTEGER, PRIMARY KEY (sup_id, prt_id));
CREATE TABLE bom (prd_id INTEGER REFERENCES prd(prd_id), prt_id INTEGER REFERENCES prt(prt_id), qty INTEGER, PRIMARY KEY (prd_id, prt_id));
CREATE TABLE dwn (dwn_id INTEGER PRIMARY KEY, mch_id INTEGER REFERENCES mch(mch_id), beg_ts TEXT, end_ts TEXT, rsn TEXT);
INSERT INTO plt VALUES
(1,'Kessel Works','Linz',1974),
(2,'Ostrava Plant','Ostrava',1998),
(3,'Gdynia Plant','Gdynia',2011),
(4,'Pilot Hall','Linz',2022),
(5,'Graz Foundry','Graz',1966),
(6,'Brno Depot','Brno',2006);
INSERT INTO ln VALUES
(1,1,'L-A1','Pumps',45,1),
(2,1,'L-A2','Valves',120,1),
(3,2,'L-B1','Pumps',60,1),
(4,2,'L-B2','Motors',25,1),
(5,3,'L-C1','Valves',150,1),
(6,3,'L-C2','Gearboxes',18,0),
(7,4,'L-X','Prototypes',3,1);
INSERT INTO mch VALUES
(1,1,'Press 1','Schuler','MSP-200','2009-06-15',75,'RUN'),
(2,1,'Lathe 4','DMG Mori','NLX 2500','2016-02-01',22.5,'RUN'),
(3,2,'Drill 2','Haas','DT-1','2018-09-10',11,'IDLE'),
(4,2,'Grinder 1','Studer','S33','2013-04-22',15,'DOWN'),
(5,3,'Mill 3','DMG Mori','DMU 50','2019-11-05',25,'RUN'),
(6,3,'Press 2','Schuler','TBS-100','2004-01-19',55,'RUN'),
(7,4,'Winder 1','Marsilli','WM-8','2020-07-30',9.5,'RUN'),
(8,4,'Oven 1','Nabertherm','N-650','2012-03-03',64,'IDLE'),
(9,5,'Lathe 7','Haas','ST-20','2021-05-17',14.9,'RUN'),
(10,5,'Drill 5','Haas','DT-2','2022-10-01',12,'DOWN'),
(11,6,'Hobber 1','Liebherr','LC-180','2007-08-08',40,'SOLD'),
(12,NULL,'Spare Lathe','Haas','ST-10','2015-12-12',11.2,'IDLE');
INSERT INTO opr VALUES
(1,'Jana','Havel',5,'2003-03-01',NULL,31.5,3,NULL),
(2,'Karl','Steiner',5,'2001-10-15',NULL,33,1,NULL),
(3,'Piotr','Zielinski',4,'2011-09-01',NULL,27.8,5,NULL),
(4,'Anna','Huber',3,'2017-05-02',NULL,24.2,1,2),
(5,'Milan','Dvorak',3,'2015-01-12',NULL,23.9,3,1),
(6,'Ewa','Kaminska',2,'2021-08-16',NULL,20.4,5,3),
(7,'Lukas','Gruber',2,'2020-02-03','2024-01-31',19.8,2,2),
(8,'Tereza','Mala',4,'2012-06-18',NULL,26.5,4,1),
(9,'Tomasz','Wrona',1,'2023-11-06',NULL,17.5,5,3),
(10,'Sabine','Moser',4,'2010-04-26',NULL,28.1,2,2),
(11,'Petr','Kolar',1,'2024-02-19',NULL,17.9,4,1),
(12,'Felix','Auer',2,'2022-07-04',NULL,21,NULL,2),
(13,'Jan','Sikora',3,'2014-03-24','2023-09-30',22.7,6,3);
INSERT INTO shft VALUES
('E','Early','06:00','14:00',0),
('L','Late','14:00','22:00',5),
('N','Night','22:00','06:00',20),
('W','Weekend','07:00','19:00',35),
('D','Day office','08:00','16:30',0),
('F','Flex','09:00','15:00',0);
INSERT INTO shft_asg VALUES
(4,'2024-03-04','E',1,8),
(2,'2024-03-04','E',2,8),
(10,'2024-03-04','L',3,7.5),
(5,'2024-03-04','N',5,8),
(1,'2024-03-05','E',6,8),
(8,'2024-03-05','L',7,8),
(3,'2024-03-05','E',9,6),
(6,'2024-03-05','N',9,8),
(4,'2024-03-05','L',2,8),
(9,'2024-03-06','E',10,4),
(6,'2024-03-06','N',9,8),
(5,'2024-03-06','N',6,8),
(11,'2024-03-06','L',8,7),
(10,'2024-03-09','W',4,11),
(3,'2024-03-09','W',9,12),
(8,'2024-03-10','W',7,10.5),
(4,'2024-03-11','E',1,8),
(6,'2024-03-11','L',10,5);
INSERT INTO cust VALUES
(1,'Aqualine GmbH','Graz','Austria',80000),
(2,'Baltic Shipyards','Gdansk','Poland',150000),
(3,'Moravia Heating','Brno','Czechia',60000),
(4,'Nordvent','Aarhus','Denmark',45000),
(5,'Tirol Water Board','Innsbruck','Austria',NULL),
(6,'Delta Process','Rotterdam','Netherlands',200000),
(7,'Hartmann Tools','Linz','Austria',25000),
(8,'Silesia Mining','Katowice','Poland',120000);
INSERT INTO prd VALUES
(1,'P-100','Centrifugal pump 100',24.5,890,0),
(2,'P-250','Centrifugal pump 250',61,1950,0),
(3,'V-15','Ball valve 15 mm',0.6,28,0),
(4,'V-50','Ball valve 50 mm',3.2,74,0),
(5,'V-80','Gate valve 80 mm',11.8,165,0),
(6,'M-3','Electric motor 3 kW',32,540,0),
(7,'M-7','Electric motor 7.5 kW',58.5,910,0),
(8,'G-10','Worm gearbox',45,1280,1),
(9,'P-050','Hand pump',8.4,145,1),
(10,'X-1','Smart pump prototype',27,NULL,0);
INSERT INTO ord VALUES
(1,1,'2023-11-06','2023-12-15','2023-12-12','SHP'),
(2,2,'2023-11-20','2024-01-31','2024-02-06','SHP'),
(3,3,'2023-12-04','2024-01-15','2024-01-15','SHP'),
(4,6,'2024-01-09','2024-03-01','2024-02-27','SHP'),
(5,1,'2024-01-22','2024-02-29','2024-03-08','SHP'),
(6,5,'2024-02-05','2024-04-10',NULL,'PRD'),
(7,2,'2024-02-14','2024-04-30',NULL,'PRD'),
(8,4,'2024-02-26','2024-03-20',NULL,'CNL'),
(9,8,'2024-03-04','2024-05-15',NULL,'NEW'),
(10,6,'2024-03-11','2024-05-31',NULL,'NEW'),
(11,1,'2024-03-12','2024-04-05',NULL,'PRD'),
(12,3,'2024-03-18','2024-06-01',NULL,'HLD');
INSERT INTO ord_ln VALUES
(1,1,10,870),
(1,3,200,26.5),
(2,2,12,1880),
(2,6,8,540),
(3,4,150,70),
(4,2,20,1790),
(4,7,20,860),
(4,5,60,160),
(5,3,400,25.9),
(5,4,100,72),
(6,1,15,890),
(6,5,30,165),
(7,7,6,910),
(7,8,2,1150),
(8,3,50,28),
(9,2,5,1950),
(9,6,10,525),
(10,1,40,820),
(11,4,80,74),
(12,6,4,540);
INSERT INTO wo VALUES
(1,1,1,'2023-11-13','2023-11-20',12,11,1),
(2,3,2,'2023-11-15','2023-11-22',220,214,6),
(3,2,3,'2023-12-04','2024-01-12',12,12,0),
(4,4,5,'2023-12-11','2024-01-05',160,151,9),
(5,2,3,'2024-01-15','2024-02-16',22,20,2),
(6,7,4,'2024-01-18','2024-02-20',20,20,0),
(7,5,5,'2024-01-22','2024-02-02',65,61,4),
(8,3,2,'2024-01-29','2024-02-23',420,402,18),
(9,4,5,'2024-02-05','2024-03-01',100,100,0),
(10,1,1,'2024-02-19',NULL,16,9,1),
(11,7,4,'2024-03-01',NULL,6,2,0),
(12,8,6,'2022-05-02','2022-05-30',10,7,3),
(13,10,7,'2024-03-04',NULL,3,0,0),
(14,6,4,'2023-12-01','2024-01-10',8,8,1);
INSERT INTO def_typ VALUES
('SC','Scratch',1),
('CR','Crack',5),
('DM','Wrong dimension',4),
('LK','Leak',5),
('CL','Colour fault',1),
('MS','Missing part',3),
('BR','Burr',2);
INSERT INTO def_log VALUES
(1,1,1,'CR','2023-11-15 10:20:00',1,0,4),
(2,2,3,'BR','2023-11-17 15:45:00',14,1,10),
(3,2,4,'DM','2023-11-20 18:10:00',6,0,10),
(4,4,9,'DM','2023-12-18 09:05:00',9,0,3),
(5,4,9,'SC','2023-12-19 11:30:00',22,1,6),
(6,5,5,'LK','2024-01-25 23:40:00',2,0,5),
(7,7,10,'BR','2024-01-24 08:15:00',12,1,9),
(8,7,9,'CR','2024-01-30 02:50:00',4,0,6),
(9,8,4,'DM','2024-02-06 16:00:00',11,0,10),
(10,8,3,'MS','2024-02-08 20:25:00',5,1,7),
(11,8,4,'CR','2024-02-14 17:55:00',7,0,NULL),
(12,10,1,'LK','2024-02-27 07:30:00',1,0,4),
(13,14,7,'MS','2023-12-12 14:35:00',1,0,8),
(14,12,11,'CR','2022-05-16 12:00:00',3,0,13);
INSERT INTO sup VALUES
(1,'Voest Steel','Linz','Austria',4.6,1),
(2,'Castwell Foundry','Brno','Czechia',3.9,1),
(3,'Sealtech','Milan','Italy',4.8,1),
(4,'Copperline','Katowice','Poland',4.1,1),
(5,'QuickBolt','Shenzhen','China',2.7,0),
(6,'Bearing House','Stuttgart','Germany',4.9,1),
(7,'Ostra Plastics','Ostrava','Czechia',NULL,0);
INSERT INTO prt VALUES
(1,'C-2001','Cast housing small','pc',140,50,62),
(2,'C-2002','Cast housing large','pc',18,25,148),
(3,'S-310','Shaft seal','pc',900,300,4.2),
(4,'B-620','Ball bearing 6204','pc',450,400,5.8),
(5,'W-075','Copper wire','kg',220,250,9.6),
(6,'H-M8','Hex bolt M8','pc',6200,2000,0.12),
(7,'R-15','Steel rod','m',75,60,7.4),
(8,'G-40','Gear wheel','pc',0,10,96),
(9,'L-1','Label','pc',5000,500,0.03);
INSERT INTO sup_prt VALUES
(1,7,7.1,10),
(2,1,58,28),
(2,2,139,35),
(1,2,151,18),
(3,3,4.05,14),
(5,3,2.9,60),
(6,4,5.65,7),
(5,4,3.4,55),
(4,5,9.9,12),
(5,6,0.08,45),
(1,6,0.13,5),
(6,8,101,21);
INSERT INTO bom VALUES
(1,1,1),
(1,3,2),
(1,4,2),
(1,6,8),
(2,2,1),
(2,3,2),
(2,4,3),
(2,6,12),
(3,7,1),
(3,3,1),
(4,7,2),
(4,3,2),
(5,2,1),
(5,6,6),
(6,5,4),
(6,4,2),
(7,5,9),
(7,4,2),
(8,8,3),
(8,4,4);
INSERT INTO dwn VALUES
(1,4,'2024-02-15 06:30:00','2024-02-16 14:00:00','Spindle failure'),
(2,10,'2024-03-11 19:00:00',NULL,'Hydraulic leak'),
(3,1,'2024-01-17 09:00:00','2024-01-17 11:30:00','Tool change'),
(4,4,'2024-03-10 12:15:00',NULL,'Spindle failure'),
(5,6,'2023-12-01 22:40:00','2023-12-02 05:40:00','Power cut'),
(6,5,'2023-12-01 22:40:00','2023-12-02 02:10:00','Power cut'),
(7,9,'2024-02-20 13:00:00','2024-02-20 13:45:00','Tool change'),
(8,4,'2023-10-05 08:00:00','2023-10-05 16:00:00','Lubrication');
