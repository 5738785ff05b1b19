// The ring of lights in the middle of the table: ten segments, an LED in each, and in the
// middle a post for the phase lamp. Each LED looks at its seat; seat 1 is where the host says.
//
//   openscad -D 'part="segment"' -D seat=7 -o ring_segment_7.stl ring_segment.scad
//
// segment and phase come out as they are printed; assembly is for looking at.
include <dimensions.scad>

part = "assembly";
seat = 10; // the number on top; 0 for none

seats = 10;
angle = 360 / seats;
inner = ring_outer - ring_wide;
middle = (inner + ring_outer) / 2;
gap = 0.15; // to the neighbour, each side
peg_up = ring_high - wall - ring_peg[0] / 2 - 1;
peg_at = 10; // pegs, from the middle of the ring's width
post_across = 40;
post_high = 34;

// A piece of a ring; *inset* takes something off its two ends, in millimetres.
module sector(from, to, inset, high) difference() {
    linear_extrude(high) difference() {
        circle(r = to, $fn = 180);
        circle(r = from, $fn = 180);
    }
    for (side = [-1, 1]) rotate([0, 0, side * angle / 2])
        translate([-to * 2, side > 0 ? -inset : inset - 4 * to, -1]) cube([to * 4, to * 4, high + 2]);
    translate([-to * 2, -to, -1]) cube([to * 2, to * 2, high + 2]);
}

// Children at one end: x along the radius from the middle of the ring's width, z along the ring, outward.
module at_end(side) rotate([0, 0, side * angle / 2]) translate([middle, 0, 0])
    rotate([side > 0 ? -90 : 90, 0, 0]) children();

module segment(number) difference() {
    union() {
        difference() {
            sector(inner, ring_outer, gap, ring_high);
            translate([0, 0, -1]) sector(inner + wall, ring_outer - wall, wall + gap, ring_high - wall + 1);
        }
        // Sockets for the neighbour's pegs.
        for (x = [-peg_at, peg_at]) intersection() {
            sector(inner, ring_outer, gap, ring_high);
            at_end(-1) translate([x, peg_up, -ring_peg[2] - 2]) cylinder(d = ring_peg[0] + 4, h = ring_peg[2] + 2);
        }
        for (x = [-peg_at, peg_at]) at_end(1) translate([x, -peg_up, -gap - 0.1])
            cylinder(d1 = ring_peg[0], d2 = ring_peg[1], h = ring_peg[2]);
    }
    for (x = [-peg_at, peg_at]) at_end(-1) translate([x, peg_up, -ring_peg[2] - fit])
        cylinder(d1 = ring_peg[1] + 2 * fit, d2 = ring_peg[0] + 2 * fit, h = ring_peg[2] + fit + 0.01);
    // Wires go round inside; the cable comes in through the inner wall.
    for (side = [-1, 1]) at_end(side) cube([10, 2 * 8, 20], center = true);
    translate([inner, 0, 0]) cube([10, table_cable + 2, 2 * (table_cable + 1)], center = true);
    translate([ring_outer, 0, ring_led_up]) rotate([0, 90, 0]) cylinder(d = led_hole, h = 20, center = true);
    if (number > 0) translate([middle, 0, ring_high - 0.6]) rotate([0, 0, 90]) linear_extrude(2)
        text(str(number), size = 15, font = "DejaVu Sans:style=Bold", halign = "center", valign = "center");
}

// A lamp's post: the RGB LED looks up; a table tennis ball cut in half is a good shade.
module phase() difference() {
    cylinder(d1 = post_across, d2 = post_across - 8, h = post_high);
    translate([0, 0, -1]) cylinder(d1 = post_across - 2 * wall, d2 = post_across - 8 - 2 * wall, h = post_high - wall + 1);
    cylinder(d = phase_led_hole, h = 2 * post_high);
    translate([post_across / 2, 0, 0]) cube([20, table_cable + 2, 2 * (table_cable + 1)], center = true);
}

module assembly() {
    for (n = [0 : seats - 1]) rotate([0, 0, -90 - n * angle]) {
        color(n % 2 ? "tan" : "burlywood") segment(n + 1);
        color("orange") translate([ring_outer - 4, 0, ring_led_up]) rotate([0, 90, 0]) cylinder(d = 5, h = 6);
    }
    translate([0, 85, 0]) color("sienna") phase();
}

if (part == "segment") translate([0, 0, ring_high]) rotate([180, 0, 0]) segment(seat);
else if (part == "phase") translate([0, 0, post_high]) rotate([180, 0, 0]) phase();
else assembly();
