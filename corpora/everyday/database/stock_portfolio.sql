CREATE TABLE stocks (
  ticker TEXT,
  company TEXT,
  sector TEXT,
  country TEXT,
  currency TEXT,
  last_price REAL,
  dividend_per_share REAL
);
INSERT INTO stocks VALUES
('SIE', 'Halden Industries', 'Industrials', 'DE', 'EUR', 148.2, 4.1),
('NOVB', 'Novabio', 'Healthcare', 'CH', 'CHF', 92.4, 0),
('ORX', 'Orex Mining', 'Materials', 'CA', 'CAD', 17.85, 0.6),
('LUMA', 'Luma Software', 'Technology', 'US', 'USD', 311.5, 0),
('PEAK', 'Peak Outdoor', 'Consumer', 'US', 'USD', 44.1, 1.2),
('VIND', 'Vindkraft Nord', 'Utilities', 'DK', 'DKK', 208.0, 3.5),
('BKT', 'Bankhaus Tell', 'Financials', 'CH', 'CHF', 61.3, 2.9),
('CHIP', 'Chipworks', 'Technology', 'US', 'USD', 127.9, 0.4),
('TEAK', 'Teak & Sons', 'Consumer', 'GB', 'GBP', 8.72, 0.3),
('GRID', 'Gridline Power', 'Utilities', 'DE', 'EUR', 33.6, 1.5),
('QUBE', 'Qube Systems', 'Technology', 'DE', 'EUR', 19.4, 0),
('ALGA', 'Algae Foods', 'Consumer', 'NL', 'EUR', 5.15, NULL);
CREATE TABLE accounts (
  account_id INTEGER,
  account_name TEXT,
  broker TEXT,
  opened TEXT,
  active INTEGER,
  for_children INTEGER
);
INSERT INTO accounts VALUES
(1, 'Main depot', 'Kontor Bank', '2018-03-12', 1, 0),
(2, 'Kids'' savings', 'Kontor Bank', '2021-06-01', 1, 1),
(3, 'Play money', 'TradeNow', '2020-11-20', 1, 0),
(4, 'Old pension', 'Alte Assekuranz', '2009-01-05', 0, 0);
CREATE TABLE trades (
  trade_no INTEGER,
  account_id INTEGER,
  ticker TEXT,
  side TEXT,
  trade_date TEXT,
  quantity INTEGER,
  price REAL,
  fee REAL
);
INSERT INTO trades VALUES
(70001, 2, 'SIE', 'BUY', '2022-01-25', 25, 144.81, 12.5),
(70002, 2, 'LUMA', 'BUY', '2022-02-06', 12, 354.22, 4.9),
(70003, 3, 'CHIP', 'BUY', '2022-04-22', 5, 145.44, 12.5),
(70004, 1, 'SIE', 'BUY', '2022-05-06', 5, 144.09, 0),
(70005, 3, 'CHIP', 'BUY', '2022-06-27', 8, 108.91, 12.5),
(70006, 2, 'BKT', 'BUY', '2022-07-05', 20, 48.02, 4.9),
(70007, 1, 'TEAK', 'BUY', '2022-08-15', 15, 9.89, 9.9),
(70008, 1, 'CHIP', 'BUY', '2022-09-26', 40, 106.97, 4.9),
(70009, 3, 'BKT', 'BUY', '2022-10-05', 15, 46.34, 9.9),
(70010, 3, 'SIE', 'SELL', '2022-10-07', 30, 143.4, 9.9),
(70011, 2, 'LUMA', 'BUY', '2022-10-17', 40, 251.12, 0),
(70012, 1, 'NOVB', 'BUY', '2023-01-01', 20, 90.0, 4.9),
(70013, 2, 'SIE', 'BUY', '2023-03-12', 15, 138.31, 4.9),
(70014, 1, 'GRID', 'BUY', '2023-06-21', 25, 33.26, 9.9),
(70015, 3, 'BKT', 'BUY', '2023-07-13', 50, 58.61, 12.5),
(70016, 1, 'VIND', 'SELL', '2023-07-23', 12, 163.55, 12.5),
(70017, 1, 'PEAK', 'BUY', '2023-08-09', 25, 31.58, 9.9),
(70018, 1, 'LUMA', 'BUY', '2023-08-30', 15, 234.87, 1.0),
(70019, 1, 'BKT', 'BUY', '2023-09-12', 20, 69.09, 12.5),
(70020, 1, 'ORX', 'BUY', '2023-09-15', 30, 17.52, 0),
(70021, 3, 'NOVB', 'BUY', '2023-10-04', 40, 82.74, 12.5),
(70022, 1, 'PEAK', 'SELL', '2023-10-21', 10, 35.47, 1.0),
(70023, 3, 'ORX', 'SELL', '2023-11-14', 40, 20.23, 9.9),
(70024, 3, 'TEAK', 'BUY', '2023-11-23', 8, 6.73, 9.9),
(70025, 1, 'CHIP', 'BUY', '2023-11-28', 5, 144.97, 4.9),
(70026, 3, 'VIND', 'BUY', '2023-12-04', 5, 225.76, 9.9),
(70027, 1, 'ORX', 'BUY', '2024-03-20', 8, 12.77, 1.0),
(70028, 1, 'TEAK', 'SELL', '2024-04-03', 8, 7.71, 1.0),
(70029, 1, 'CHIP', 'SELL', '2024-04-04', 50, 115.12, 1.0),
(70030, 1, 'CHIP', 'BUY', '2024-04-07', 15, 103.27, 1.0),
(70031, 3, 'BKT', 'BUY', '2024-04-14', 40, 50.39, 12.5),
(70032, 1, 'CHIP', 'SELL', '2024-05-07', 25, 122.57, 9.9),
(70033, 2, 'LUMA', 'SELL', '2024-06-07', 15, 265.72, 12.5),
(70034, 1, 'VIND', 'BUY', '2024-06-11', 20, 174.97, 1.0);
CREATE TABLE dividends (
  payment_no INTEGER,
  ticker TEXT,
  paid_on TEXT,
  account_id INTEGER,
  gross_amount REAL,
  tax REAL
);
INSERT INTO dividends VALUES
(1, 'SIE', '2022-05-12', 1, 41.0, 10.8),
(2, 'SIE', '2023-05-11', 1, 45.5, 12.0),
(3, 'SIE', '2024-05-10', 1, 51.25, 13.5),
(4, 'VIND', '2023-04-03', 1, 70.0, 18.9),
(5, 'BKT', '2023-04-20', 1, 58.0, 20.3),
(6, 'BKT', '2024-04-19', 2, 61.6, 21.56),
(7, 'PEAK', '2022-12-15', 3, 14.4, 2.16),
(8, 'PEAK', '2023-12-15', 3, 18.0, 2.7),
(9, 'GRID', '2024-06-03', 2, 22.5, 5.93),
(10, 'CHIP', '2023-09-08', 1, 6.4, 0.96),
(11, 'ORX', '2023-10-02', 3, 9.6, 2.4);
