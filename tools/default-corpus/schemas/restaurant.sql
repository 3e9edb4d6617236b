-- A restaurant: guests, waiters, the menu and what was ordered.

CREATE TABLE customers (
    cust_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    phone TEXT,
    loyalty_points INTEGER
);

CREATE TABLE waiters (
    waiter_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    hourly_wage REAL
);

CREATE TABLE dishes (
    dish_id INTEGER PRIMARY KEY,
    dish_name TEXT NOT NULL,
    category TEXT,
    price REAL,
    calories INTEGER
);

CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY,
    cust_id INTEGER REFERENCES customers (cust_id),
    waiter_id INTEGER REFERENCES waiters (waiter_id),
    order_date DATE,
    table_no INTEGER,
    tip REAL
);

CREATE TABLE order_items (
    order_id INTEGER REFERENCES orders (order_id),
    dish_id INTEGER REFERENCES dishes (dish_id),
    qty INTEGER,
    PRIMARY KEY (order_id, dish_id)
);

INSERT INTO customers VALUES
    (1, 'Oscar Bright', 'Oxford', '01865 220110', 120),
    (2, 'Penny Hart', 'Oxford', NULL, 45),
    (3, 'Quentin Gale', 'Abingdon', '01235 553001', 310),
    (4, 'Rosa Milani', 'Witney', '01993 778120', 0),
    (5, 'Sam Tully', 'Oxford', '01865 240991', 85),
    (6, 'Tara Nash', 'Abingdon', NULL, 150),
    (7, 'Umar Sheikh', 'Bicester', '01869 321455', 60),
    (8, 'Vera Klein', 'Witney', NULL, 230),
    (9, 'Will Abbott', 'Oxford', '01865 231877', 15),
    (10, 'Xena Doyle', 'Bicester', '01869 340020', 500),
    (11, 'Yusuf Demir', 'Thame', '01844 212333', 75),
    (12, 'Zoe Lambert', 'Thame', NULL, 190);

INSERT INTO waiters VALUES
    (1, 'Marta Kowalska', 29, 12.5),
    (2, 'Nick Bower', 22, 10.8),
    (3, 'Olga Reyes', 41, 14.2),
    (4, 'Pablo Serra', 35, 13.0),
    (5, 'Ruth Odell', 19, 10.4),
    (6, 'Simon Fry', 26, 11.6);

INSERT INTO dishes VALUES
    (1, 'Tomato Soup', 'starter', 5.5, 180),
    (2, 'Garlic Bread', 'starter', 4.2, 310),
    (3, 'Caesar Salad', 'starter', 7.8, 420),
    (4, 'Bruschetta', 'starter', 6.1, 260),
    (5, 'Margherita Pizza', 'main', 11.5, 850),
    (6, 'Mushroom Risotto', 'main', 13.2, 690),
    (7, 'Grilled Salmon', 'main', 18.9, 540),
    (8, 'Beef Burger', 'main', 14.5, 980),
    (9, 'Vegetable Curry', 'main', 12.4, 610),
    (10, 'Lamb Shank', 'main', 21.0, 890),
    (11, 'Cheesecake', 'dessert', 6.9, 520),
    (12, 'Apple Tart', 'dessert', 6.2, 430),
    (13, 'Chocolate Mousse', 'dessert', 6.5, 390),
    (14, 'Lemon Sorbet', 'dessert', 4.8, 160),
    (15, 'Espresso', 'drink', 2.6, 5),
    (16, 'Lemonade', 'drink', 3.4, 140),
    (17, 'House Red', 'drink', 5.9, 125),
    (18, 'Mineral Water', 'drink', 2.4, 0);

INSERT INTO orders VALUES
    (1, 4, 3, '2024-01-24', 7, 8),
    (2, 3, 1, '2024-01-01', 7, 3),
    (3, 1, 2, '2024-05-18', 6, 3),
    (4, 3, 1, '2024-03-07', 1, 3),
    (5, 5, 2, '2024-02-10', 5, 4.5),
    (6, 1, 3, '2024-04-17', 4, 1.5),
    (7, 4, 4, '2024-03-03', 9, 3),
    (8, 1, 3, '2024-05-23', 5, 2),
    (9, 8, 4, '2024-05-10', 7, 8),
    (10, 3, 2, '2024-03-09', 1, 0),
    (11, 1, 4, '2024-03-17', 9, 8),
    (12, 6, 1, '2024-02-03', 7, 2),
    (13, 10, 3, '2024-02-12', 7, 4.5),
    (14, 3, 3, '2024-01-27', 1, 2),
    (15, 5, 2, '2024-01-11', 3, 3),
    (16, 10, 1, '2024-01-12', 12, 0),
    (17, 5, 3, '2024-01-11', 5, 4.5),
    (18, 3, 4, '2024-05-22', 2, 3),
    (19, 3, 4, '2024-03-05', 5, 5),
    (20, 3, 3, '2024-05-01', 6, NULL),
    (21, 10, 1, '2024-03-26', 6, 3),
    (22, 2, 4, '2024-02-14', 4, 0),
    (23, 1, 1, '2024-01-24', 3, 1.5),
    (24, 1, 6, '2024-04-19', 4, 4.5),
    (25, 1, 1, '2024-05-10', 7, 2),
    (26, 10, 2, '2024-02-15', 7, 8),
    (27, 1, 2, '2024-04-15', 4, 5),
    (28, 3, 4, '2024-02-02', 1, 3);

INSERT INTO order_items VALUES
    (1, 5, 3),
    (1, 11, 4),
    (2, 17, 4),
    (3, 8, 1),
    (4, 3, 1),
    (4, 7, 1),
    (5, 7, 1),
    (6, 2, 4),
    (6, 8, 3),
    (6, 12, 2),
    (7, 15, 1),
    (7, 16, 3),
    (8, 10, 1),
    (9, 2, 1),
    (9, 8, 3),
    (10, 12, 3),
    (11, 7, 1),
    (12, 10, 1),
    (12, 15, 4),
    (13, 7, 4),
    (13, 8, 2),
    (13, 11, 3),
    (14, 15, 4),
    (15, 6, 2),
    (15, 7, 4),
    (15, 8, 4),
    (16, 2, 1),
    (16, 6, 1),
    (17, 1, 1),
    (17, 5, 3),
    (17, 15, 4),
    (18, 3, 4),
    (18, 13, 4),
    (19, 1, 1),
    (19, 15, 2),
    (20, 16, 3),
    (21, 9, 4),
    (21, 10, 4),
    (21, 12, 1),
    (22, 1, 2),
    (22, 5, 3),
    (22, 8, 2),
    (23, 5, 2),
    (24, 13, 2),
    (25, 2, 3),
    (25, 8, 4),
    (26, 5, 3),
    (26, 11, 3),
    (27, 5, 1),
    (28, 15, 2);
