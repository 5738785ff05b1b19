// The arm behind a seat's console and the head that holds the camera and its cover.
//
//   openscad -D 'part="arm"' -o camera_arm.stl camera_arm.scad
//
// arm and head come out as they are printed; assembly is for looking at, the cover open or closed.
include <dimensions.scad>
use <lens_cover.scad>

part = "assembly";
covered = false;

board_at = -camera_housing_high - 0.4; // front of the camera's board: its housing ends behind the face
channel = [camera_ribbon[0] + 1, 3];
rail_out = cover_high / 2 + fit + 2;
top = camera_holes[1] + camera_hole_inset + 3;

// x to the right as one looks at the face, y up, z out of the face.
module head() difference() {
    union() {
        translate([-head_left, -rail_out, -wall]) cube([head_left + head_right, rail_out + top, wall]);
        // Walls around the board; open below, where the ribbon leaves, and behind.
        for (side = [-1, 1]) translate([side * (head_left - 1) - 1, -rail_out, board_at - 3])
            cube([2, rail_out + top, -board_at + 3 - wall / 2]);
        translate([-head_left, top - 2, board_at - 3]) cube([2 * head_left, 2, -board_at + 3 - wall / 2]);
        at_camera_holes() translate([0, 0, board_at]) cylinder(d = 4.4, h = -board_at - wall / 2);
        // Bosses that lean on the walls, as the head is printed standing.
        for (side = [-1, 1], y = [0, camera_holes[1]]) translate([side * (camera_holes[0] / 2 + 2) - 2, y - 2.2, board_at])
            cube([4, 4.4, -board_at - wall / 2]);
        rails();
        translate([cover_click, 0, -0.5]) sphere(d = 1.7);
        ears();
    }
    cube([head_opening, head_opening, 20], center = true);
    at_camera_holes() translate([0, 0, board_at - 0.1]) cylinder(d = m2_thread, h = -board_at - 1);
    // A screw here keeps the cover from leaving its rails.
    translate([head_right - 1.6, 0, -10]) cylinder(d = m2_thread, h = 20);
    at_hinge() rotate([0, 90, 0]) cylinder(d = m3_free, h = 60, center = true);
}

module at_camera_holes() for (x = [-1, 1], y = [0, camera_holes[1]])
    translate([x * camera_holes[0] / 2, y, 0]) children();

module at_hinge() translate([0, -head_hinge[0], -head_hinge[1]]) children();

module rails() {
    gap = cover_thick + fit;
    for (side = [-1, 1]) {
        translate([-head_left, side * (rail_out - 1) - 1, -0.1])
            cube([head_left + head_right, 2, gap + head_rail_thick + 0.1]);
        translate([-head_left, side * (rail_out - 1 - head_rail / 2 - fit / 2) - 1 - (head_rail + fit) / 2, gap])
            cube([head_left + head_right, 2 + head_rail + fit, head_rail_thick]);
    }
    translate([-head_left, -rail_out, -0.1])
        cube([head_left - cover_wide / 2 - fit, 2 * rail_out, gap + head_rail_thick + 0.1]);
}

module ears() for (side = [-1, 1]) translate([side * (hinge_thick / 2 + fit + 2), 0, 0]) hull() {
    at_hinge() rotate([0, 90, 0]) cylinder(d = hinge_round, h = 4, center = true);
    translate([-2, -rail_out, -6]) cube([4, 2, 6]);
}

// Its front lies on the console's rear wall: z up from the foot's lower edge, y away from the player.
module arm() difference() {
    union() {
        translate([-arm_foot[0] / 2, 0, 0]) cube([arm_foot[0], arm_foot[2], arm_foot[1]]);
        translate([-arm_wide / 2, 0, arm_foot[1] / 2 + 4])
            cube([arm_wide, arm_thick, arm_high - arm_foot[1] / 2 - 4 - hinge_round]);
        hull() {
            translate([0, arm_thick / 2, arm_high]) rotate([0, 90, 0])
                cylinder(d = min(hinge_round, arm_thick), h = hinge_thick, center = true);
            translate([-hinge_thick / 2, 0, arm_high - hinge_round - 1]) cube([hinge_thick, arm_thick, 1]);
        }
    }
    translate([0, 0, arm_high]) translate([0, arm_thick / 2, 0]) rotate([0, 90, 0])
        cylinder(d = m3_free, h = 60, center = true);
    translate([0, 0, arm_foot[1] / 2]) {
        cube([camera_ribbon[0] + 2, 40, camera_ribbon[1] + 2], center = true);
        for (side = [-1, 1]) translate([side * arm_foot_holes / 2, 0, 0]) rotate([90, 0, 0])
            cylinder(d = m3_free, h = 40, center = true);
    }
    // The ribbon lies in the back, held by two bridges.
    difference() {
        translate([-channel[0] / 2, arm_thick - channel[1], 0]) cube([channel[0], 10, arm_high + 20]);
        for (z = [40, 88]) translate([-arm_wide / 2, arm_thick - 1, z]) cube([arm_wide, 1, 6]);
        translate([-arm_wide / 2, 0, arm_high - hinge_round]) cube([arm_wide, 20, 100]);
    }
}

module camera() {
    color("seagreen") translate([-camera_board[0] / 2, camera_holes[1] + camera_hole_inset - camera_board[1], board_at - 1])
        cube([camera_board[0], camera_board[1], 1]);
    color("black") translate([-camera_housing / 2, -camera_housing / 2, board_at])
        cube([camera_housing, camera_housing, camera_housing_high]);
    color("lightblue") translate([0, 0, board_at + camera_housing_high]) cylinder(d = 5, h = 0.3);
}

// Origin as the arm's; the head looks towards the player, tilted up.
module assembly() {
    color("tan") arm();
    translate([0, arm_thick / 2, arm_high]) rotate([90 - arm_tilt, 0, 0]) translate([0, head_hinge[0], head_hinge[1]]) {
        color("sienna") head();
        color("black") translate([covered ? 0 : 2 * cover_click, 0, fit / 2]) lens_cover();
        camera();
    }
}

if (part == "arm") rotate([90, 0, 0]) arm();
// On its upper edge, the ears in the air.
else if (part == "head") translate([0, 0, top]) rotate([-90, 0, 0]) head();
else assembly();
