// The sliding cover of a seat's camera: the player pushes it over the lens with one finger.
// It runs in the rails of the camera head, see camera_arm.scad.
//
//   openscad -o lens_cover.stl lens_cover.scad
//
// Print it black and opaque, as it comes: the grip up.
include <dimensions.scad>

// Origin: the middle of the face that slides on the head, z away from the head.
module lens_cover() difference() {
    union() {
        translate([-cover_wide / 2, -cover_high / 2, 0]) cube([cover_wide, cover_high, cover_thick]);
        translate([cover_wide / 2 - cover_grip, -cover_high / 2 + head_rail + 2 * fit, 0])
            cube([cover_grip, cover_high - 2 * head_rail - 4 * fit, cover_thick + cover_grip]);
    }
    // The head's bump clicks into one of them: closed, open.
    for (end = [-1, 1]) translate([end * cover_click, 0, -0.4]) sphere(d = 1.8);
}

lens_cover();
