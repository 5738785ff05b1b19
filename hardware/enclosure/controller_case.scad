// The case of the table controller: it stands in the middle of the ring of lights.
// x to the right, y away from who presses START, z up; the table is z = 0.
//
//   openscad -D 'part="lid"' -o controller_lid.stl controller_case.scad
//
// case and lid come out as they are printed; assembly is for looking at.
include <dimensions.scad>

part = "assembly";

wide = case_size[0];
deep = case_size[1];
high = case_size[2];
post = 9;
pi_x = 8; // the edge with the sockets, from the outer face of the left wall
pi_y = deep - seat_pi_rear - pi_board[1];
sd_edge = pi_x + pi_board[0];

module at_pi_holes() for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
    translate([sd_edge - pi_hole_inset - x, pi_y + pi_hole_inset + y, 0]) children();

// The left one stands beside the sockets of the Pi, as in a seat's console.
module at_posts() for (at = [
    [wall, pi_y - post - 2], [wide - wall - post, wall], [wide - wall - post, deep - wall - post],
]) translate([at[0] + post / 2, at[1] + post / 2, 0]) children();

module at_buttons() for (side = [-1, 1])
    translate([wide / 2 + side * case_buttons_apart / 2, wall + table_button_nut / 2 + 2, 0]) children();

module slots(count, long) for (n = [0 : count - 1])
    translate([(n - (count - 1) / 2) * 1.8 * slot_wide, 0, 0]) cube([slot_wide, long, 30], center = true);

module case() difference() {
    union() {
        difference() {
            cube([wide, deep, high]);
            translate([wall, wall, floor_thick]) cube([wide - 2 * wall, deep - 2 * wall, high]);
        }
        at_posts() translate([-post / 2, -post / 2, 0]) cube([post, post, high]);
        at_pi_holes() cylinder(d = 7, h = case_pi_above);
    }
    at_pi_holes() translate([0, 0, case_pi_above - m25_insert_deep]) cylinder(d = m25_insert, h = 10);
    at_posts() translate([0, 0, high - m3_insert_deep]) cylinder(d = m3_insert, h = 10);
    // Left: the sockets. Rear: power and the plugs for a screen, in one opening.
    translate([-5, pi_y + 2, case_pi_above]) cube([10, pi_sockets_wide, pi_thick + pi_sockets_high + 1]);
    translate([sd_edge - pi_hdmi_at[1] - hdmi_plug[0] / 2, deep - 5, case_pi_above + pi_thick + 1.6 - hdmi_plug[1] / 2])
        cube([pi_hdmi_at[1] - pi_usb_c_at + hdmi_plug[0] / 2 + usb_c_plug[0] / 2 + 1, 10, hdmi_plug[1]]);
    // Right: the cable of the lights is laid in from above; two holes for a tie hold it.
    translate([wide, deep / 2, high]) {
        cube([20, table_cable + 0.5, 2 * 12], center = true);
        translate([0, 0, -12]) rotate([0, 90, 0]) cylinder(d = table_cable + 0.5, h = 20, center = true);
    }
    for (y = [-7, 7]) translate([wide - 14, deep / 2 + y, -1]) cube([2, 4, 20]);
    translate([pi_x + 46, pi_y + pi_board[1] / 2, 0]) slots(9, 34);
}

module lid() difference() {
    union() {
        cube([wide, deep, lid_thick]);
        stop_button() cylinder(d = table_button_nut + 2 * wall + 2, h = lid_thick + stop_collar);
    }
    at_buttons() cylinder(d = table_button_hole + fit, h = 20, center = true);
    stop_button() translate([0, 0, lid_thick]) cylinder(d = table_button_nut + 2, h = 20);
    at_posts() cylinder(d = m3_free, h = 40, center = true);
    at_posts() translate([0, 0, lid_thick - 1.8]) cylinder(d1 = m3_free, d2 = m3_head + 2 * fit, h = 1.9);
    translate([pi_x + 46, pi_y + pi_board[1] / 2, 0]) slots(9, 34);
}

// STOP is the right one.
module stop_button() intersection() {
    at_buttons() children();
    translate([wide / 2, -50, -50]) cube([wide, deep + 100, 200]);
}

module assembly() {
    color("tan") case();
    translate([0, 0, high]) color("sienna") lid();
    color("seagreen") translate([pi_x, pi_y, case_pi_above]) cube([pi_board[0], pi_board[1], pi_thick]);
    color("silver") translate([pi_x - 3, pi_y + 2, case_pi_above + pi_thick])
        cube([18, pi_sockets_wide, pi_sockets_high]);
    translate([0, 0, high + lid_thick]) at_buttons() color("silver") cylinder(d = 18, h = 2);
    translate([0, 0, high + lid_thick]) at_buttons() color("dimgray") cylinder(d = 13, h = 3.5);
    color("dimgray") translate([wide - 10, deep / 2, high - 12]) rotate([0, 90, 0]) cylinder(d = table_cable, h = 40);
}

if (part == "case") case();
else if (part == "lid") lid();
else assembly();
