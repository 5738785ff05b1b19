// The console of a seat: a wedge with two buttons, a lamp, a hooded screen and the Pi.
// x to the right, y away from the player, z up; the table is z = 0.
//
//   openscad -D 'part="shell"' -o shell.stl seat_console.scad
//
// shell, base and hood come out as they are printed; assembly and open are for looking at.
include <dimensions.scad>

part = "assembly";
screen = "sh1106"; // or "ssd1306": the shell and the hood differ

module_size = screen == "ssd1306" ? ssd1306 : sh1106;
wide = seat_size[0];
deep = seat_size[1];
rear = seat_front + deep * tan(seat_slope);
pi_y = deep - seat_pi_rear - pi_board[1];
sd_edge = seat_pi_across + pi_board[0];
lit = [module_size[0], module_size[1]];
inside = [lit[0] + 2 * hood_side, lit[1] + hood_near + hood_far];

// Children in the panel's frame: origin in the middle of its front edge, x to the
// right, y up the panel, z out of it.
module on_panel() translate([wide / 2, 0, seat_front]) rotate([seat_slope, 0, 0]) children();

module at_screen() on_panel() translate([0, seat_screen_up, 0]) children();

module at_buttons() on_panel() for (side = [-1, 1])
    translate([side * seat_buttons_at[0], seat_buttons_at[1], 0]) children();

module at_holes(spacing) for (x = [-1, 1], y = [-1, 1])
    translate([x * spacing[0] / 2, y * spacing[1] / 2, 0]) children();

module at_pi_holes()
    translate([sd_edge - pi_hole_inset - pi_holes[0] / 2, pi_y + pi_board[1] - pi_hole_inset - pi_holes[1] / 2, 0])
        at_holes(pi_holes) children();

// One post stands beside the Pi's sockets and not in the corner that they fill.
module at_posts() for (at = [[0, 0], [1, 0], [1, 1]])
    translate([wall + at[0] * (wide - 2 * wall - seat_posts), wall + at[1] * (deep - 2 * wall - seat_posts), 0])
        children();

module at_side_post() translate([wall, pi_y - seat_posts - 2, 0]) children();

module profile(inset = 0) offset(delta = -inset) offset(r = 3) offset(delta = -3)
    polygon([[0, -20], [deep, -20], [deep, rear], [0, seat_front]]);

module across(from, to) translate([from, 0, 0]) rotate([90, 0, 90]) linear_extrude(to - from) children();

module slots(count, long) for (n = [0 : count - 1])
    translate([(n - (count - 1) / 2) * 2.2 * slot_wide, 0, 0]) cube([slot_wide, 20, long], center = true);

// The bosses of the screen hang under the panel, lower than its glass.
module screen_bosses(hole) at_screen() translate([0, -lit_above_middle, -wall]) at_holes([module_size[6], module_size[7]])
    if (hole) translate([0, 0, -panel_thick - 1]) cylinder(d = m2_thread, h = panel_thick + 1 + wall - 1);
    else translate([0, 0, -panel_thick - 0.3]) cylinder(d = 4.4, h = panel_thick + 0.8);

module post() intersection() {
    across(0, wide) profile(0.5);
    union() {
        at_posts() translate([0, 0, floor_thick]) cube([seat_posts, seat_posts, rear]);
        at_side_post() translate([0, 0, floor_thick]) cube([seat_posts, seat_posts, rear]);
    }
}

module post_holes(d, h, z) {
    at_posts() translate([seat_posts / 2, seat_posts / 2, z]) cylinder(d = d, h = h);
    at_side_post() translate([seat_posts / 2, seat_posts / 2, z]) cylinder(d = d, h = h);
}

module shell() difference() {
    union() {
        difference() {
            across(0, wide) profile();
            across(wall, wide - wall) profile(wall);
        }
        post();
        screen_bosses(false);
    }
    translate([-1, -1, -40]) cube([wide + 2, deep + 2, 40]);
    post_holes(m3_insert, m3_insert_deep, floor_thick - 0.1);
    // Panel: buttons, lamp, window, feet of the hood.
    at_buttons() cylinder(d = seat_button_hole + fit, h = 20, center = true);
    on_panel() translate([0, seat_buttons_at[1], 0]) cylinder(d = led_hole, h = 20, center = true);
    at_screen() cube([lit[0] + 2 * screen_window, lit[1] + 2 * screen_window, 20], center = true);
    at_screen() at_holes([inside[0] + 2 * hood_wall + hood_tabs, 0]) cylinder(d = m3_free, h = 20, center = true);
    screen_bosses(true);
    // Rear: power, a screen for the bench, the camera's ribbon and its arm, warm air.
    // One opening for the three plugs: bars between them would be too thin to last.
    translate([sd_edge - pi_hdmi_at[1] - hdmi_plug[0] / 2, deep - 10, seat_pi_above + pi_thick + 1.6 - hdmi_plug[1] / 2])
        cube([pi_hdmi_at[1] - pi_usb_c_at + hdmi_plug[0] / 2 + usb_c_plug[0] / 2 + 1, 20, hdmi_plug[1]]);
    translate([wide / 2, deep, arm_foot_above]) {
        cube([camera_ribbon[0] + 2, 20, camera_ribbon[1] + 2], center = true);
        for (side = [-1, 1]) translate([side * arm_foot_holes / 2, 0, 0]) rotate([90, 0, 0])
            cylinder(d = m3_free, h = 20, center = true);
    }
    for (side = [-1, 1]) translate([wide / 2 + side * 46, deep, 48]) slots(6, 26);
    // Sides: the Pi's sockets on the left, cool air on the right.
    translate([-5, pi_y + 2, seat_pi_above]) cube([10, pi_sockets_wide, pi_thick + pi_sockets_high + 1]);
    translate([wide, 58, 24]) rotate([0, 0, 90]) slots(8, 22);
}

module countersink() cylinder(d1 = m3_head + 2 * fit, d2 = m3_free, h = 1.9);

module base() difference() {
    union() {
        translate([wall + fit, wall + fit, 0])
            cube([wide - 2 * (wall + fit), deep - 2 * (wall + fit), floor_thick]);
        at_pi_holes() cylinder(d = 7, h = seat_pi_above);
    }
    at_pi_holes() translate([0, 0, seat_pi_above - m25_insert_deep]) cylinder(d = m25_insert, h = 10);
    post_holes(m3_free, 20, -1);
    at_posts() translate([seat_posts / 2, seat_posts / 2, -0.1]) countersink();
    at_side_post() translate([seat_posts / 2, seat_posts / 2, -0.1]) countersink();
    translate([seat_pi_across + 46, pi_y + pi_board[1] / 2, 0]) for (n = [-5 : 5])
        translate([n * 1.6 * slot_wide, 0, 0]) cube([slot_wide, 36, 20], center = true);
    // A label's place: which seat's console this is, written by hand.
    translate([wide / 2, 24, 0]) cube([60, 16, 0.8], center = true);
}

// Stands on the panel around the window; the player looks in over the lip.
module hood() {
    far = lit[1] / 2 + hood_far;
    near = lit[1] / 2 + hood_near;
    half = inside[0] / 2;
    for (side = [-1, 1]) translate([side * (half + hood_wall / 2), (far - near) / 2, hood_high / 2])
        cube([hood_wall, inside[1] + 2 * hood_wall, hood_high], center = true);
    translate([-half - hood_wall, far, 0]) cube([inside[0] + 2 * hood_wall, hood_wall, hood_high]);
    translate([-half - hood_wall, -near - hood_wall, 0]) cube([inside[0] + 2 * hood_wall, hood_wall, hood_lip]);
    for (side = [-1, 1]) difference() {
        translate([side * (half + hood_wall + hood_tabs / 2 - 0.5), 0, 1.5])
            cube([hood_tabs + 1, 14, 3], center = true);
        translate([side * (half + hood_wall + hood_tabs / 2), 0, 0]) cylinder(d = m3_free, h = 20, center = true);
    }
}

// ---- What is bought, for the pictures

module bought() {
    color("seagreen") translate([seat_pi_across, pi_y, seat_pi_above]) cube([pi_board[0], pi_board[1], pi_thick]);
    color("silver") translate([seat_pi_across - 3, pi_y + 2, seat_pi_above + pi_thick])
        cube([18, pi_sockets_wide, pi_sockets_high]);
    color("dimgray") translate([seat_pi_across + 28, pi_y + 12, seat_pi_above + pi_thick])
        cube([40, 32, pi_cooler_high]);
    on_panel() for (side = [-1, 1]) translate([side * seat_buttons_at[0], seat_buttons_at[1], 0])
        color(side < 0 ? "crimson" : "gold") {
            cylinder(d = seat_button_rim, h = 3);
            cylinder(d = 18, h = 7);
            translate([0, 0, -seat_button_deep]) cylinder(d = 20, h = seat_button_deep);
        }
    on_panel() translate([0, seat_buttons_at[1], 0]) color("white") cylinder(d = 5, h = 4);
    at_screen() translate([0, 0, -wall - 0.2]) color("midnightblue") cube([module_size[2], module_size[3], 0.4], center = true);
    at_screen() translate([0, 0, -wall]) color("aqua") cube([lit[0], lit[1], 0.5], center = true);
}

module assembly() {
    color("tan") shell();
    color("sienna") base();
    at_screen() color("#333333") hood();
    bought();
}

if (part == "shell") rotate([180 - seat_slope, 0, 0]) translate([0, 0, -seat_front]) shell();
else if (part == "base") base();
else if (part == "hood") hood();
else if (part == "open") {
    color("sienna") base();
    bought();
    color("tan", 0.3) difference() { shell(); translate([-5, -5, -1]) cube([wide + 10, 60, 200]); }
}
else assembly();
