// Sizes of bought parts and of what is printed for them, in millimetres and degrees.
// The other files include this one; tests read the same lines, so a value is a number
// or a list of numbers, alone on its line: name = value; // Source: where it comes from.
//
// Boards and modules differ by maker: measure yours, and change a line here.

// ---- Bought parts

// Raspberry Pi 4 and 5. Source: their mechanical drawings, Raspberry Pi Ltd.
pi_board = [85, 56]; // long side with USB-C, HDMI; short side with USB-A, Ethernet
pi_holes = [58, 49];
pi_hole_inset = 3.5; // from the edges of the corner with the microSD slot
pi_thick = 1.4;
pi_usb_c_at = 11.2; // centre, from the edge with the microSD slot
pi_usb_c_out = 1.5; // how far USB-C and HDMI stand out over the board's edge
pi_hdmi_at = [26, 39.5]; // centres, the same
pi_sockets_wide = 52; // all USB-A and Ethernet sockets together
pi_sockets_high = 16.5; // above the board
pi_cooler_high = 16; // above the board: Raspberry Pi Active Cooler, clips included
pi_underside = 3; // solder joints and microSD slot below the board

// Screens: panel and lit area by the panel's datasheet, board and holes as commonly sold.
// [lit wide, lit high, panel wide, panel high, board wide, board high, holes wide, holes high]
ssd1306 = [21.74, 10.86, 26.7, 19.26, 27.3, 27.8, 23.5, 23.8]; // Source: UG-2864HSWEG01, 0.96 inch
sh1106 = [29.42, 14.7, 34.5, 23, 35.4, 33.5, 30.4, 28.5]; // Source: UG-2864KSWLG01, 1.3 inch
panel_thick = 1.45; // both, above the board
lit_above_middle = 1.5; // the lit area is nearer to the edge with the pins than the board's middle

// Camera Module 2 and 3. Source: their mechanical drawings, Raspberry Pi Ltd.
camera_board = [25, 24];
camera_holes = [21, 12.5];
camera_hole_inset = 2; // upper holes, from the sides and the top
camera_housing = 11; // square around the lens, whose axis is between the lower holes
camera_housing_high = 7; // above the board
camera_view = 75; // diagonal angle of view; the wide one of 120 degrees wants another cover
camera_ribbon = [16.5, 1]; // what a slot has to pass

// Buttons and lights. Source: makers' drawings (Sanwa OBSF-24, 16 mm anti-vandal, LED 5 mm).
seat_button_hole = 24;
seat_button_rim = 28; // what covers the panel around it
seat_button_deep = 31; // below the panel, silent switch and its legs included
table_button_hole = 16;
table_button_nut = 22;
led_hole = 5.1;
led_flange = 6;

// Screws and heat-set inserts. Source: ISO 4762, makers' drawings of inserts (M3 x 5.7, M2.5 x 4).
m3_free = 3.4;
m3_head = 6;
m3_insert = 4; // hole that the brass insert is melted into
m3_insert_deep = 7;
m25_insert = 3.4;
m25_insert_deep = 5;
m2_thread = 1.7; // self-tapping screws of the screen and the camera

// Plugs. Source: USB-C specification 2.x, overmould; 16-core cable by its maker.
usb_c_plug = [13, 8];
hdmi_plug = [13, 9]; // micro HDMI
table_cable = 7.5;

// ---- What a printer makes of it

bed = [220, 220]; // a common printer; no part is larger
floor_thick = 3; // also what the screws of a base go through
wall = 2.4; // six lines of a 0.4 mm nozzle
fit = 0.3; // between parts that slide or sit in each other, each side
slot_wide = 2.4; // of cooling slots: no finger, no coin

// ---- Seat console: a wedge, low in front

seat_size = [150, 120]; // wide, deep; the seat box of bom.csv
seat_front = 36;
seat_slope = 20; // of its panel
seat_buttons_at = [42, 30]; // across from the middle; up the panel from its front edge
seat_pi_above = 8; // underside of the board above the table
seat_pi_rear = 4.5; // from the board's long side to the outer face of the rear wall
seat_pi_across = 15; // the board's edge with the sockets, from the outer face of the left wall
screen_window = 2; // the panel's window around the lit area, each side
seat_screen_up = 84; // middle of the lit area, up the panel from its front edge
seat_posts = 10; // side of the square posts in the corners

// ---- Screen hood, seen along the panel's normal

hood_high = 52; // walls at the sides and behind
hood_side = 9; // inside, from the lit area to a side wall
hood_near = 12; // inside, from the lit area to the lip on the player's side
hood_far = 6; // inside, from the lit area to the wall behind
hood_lip = 3;
hood_wall = 1.6;
hood_tabs = 11; // how far its two feet reach out

// ---- The table of ten: where eyes are, for the hood

table_across = 1800; // ten places of 565 mm: the smallest table that seats ten
seat_from_edge = 150; // the console's front edge
eyes_behind_edge = 120;
eyes_high = 430; // above the table: a seated adult
eyes_apart = 63; // Source: adult mean, Dodgson 2004
head_play = 40; // a player sits this far to either side and still reads the whole screen
neighbour_leans = 200; // towards the screen, without getting up

// ---- Lens cover, camera head and arm; the origin of the head is the lens's axis on its face

cover_wide = 22; // along the slide
cover_high = 19;
cover_thick = 1.6;
cover_grip = 3;
cover_click = 9; // two dimples, this far from the middle: the way of the slide is twice that
head_opening = 12; // square, for the lens's housing
head_rail = 2; // how far a rail reaches over the cover
head_rail_thick = 1.2;
head_left = 15; // the plate, from the lens's axis
head_right = 33;
head_hinge = [22, 3]; // below the lens's axis, behind the face; the ribbon passes behind it
arm_high = 120; // hinge above the foot's lower edge
arm_wide = 24;
arm_thick = 12;
arm_foot = [44, 36, 4];
arm_foot_holes = 30; // apart, across
arm_foot_above = 40; // holes of the rear wall, above the table; the middle of the foot
arm_tilt = 35; // of the head, up to the player's face
hinge_thick = 8;
hinge_round = 14;

// ---- Controller case

case_size = [130, 90, 46]; // outside; the lid comes on top
case_pi_above = 8;
case_buttons_apart = 44;
stop_collar = 7; // around STOP: nobody leans on it
lid_thick = 3;

// ---- Ring of lights: ten segments around the middle of the table

ring_outer = 150; // radius
ring_wide = 34;
ring_high = 22;
ring_led_up = 12; // axis of the LED above the table
ring_peg = [8, 2, 4]; // across at the wall and at its tip, long: a cone needs no support
phase_led_hole = 5.1;

$fa = 6;
$fs = 0.6;
