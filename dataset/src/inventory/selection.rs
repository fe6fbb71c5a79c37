//! Leaves out of the lists of a record what is not asked for.

use super::field::Field;
use super::field_set::FieldSet;
use super::record::{Account, Face, Layout, Representation, Spot};

const FACES: FieldSet = FieldSet::at("layouts.faces").expect("a path");
const SPOTS: FieldSet = FieldSet::at("layouts.faces.spots").expect("a path");
const ACCOUNT: FieldSet = FieldSet::at("representations.account").expect("a path");

impl FieldSet {
    pub(super) fn keep_of_layout(self, layout: &mut Layout<'_>) {
        let Layout {
            id,
            audio,
            full_motion,
            interactive,
            partial_motion,
            rotating,
            spot_share_of_voice,
            faces,
        } = layout;
        self.keep(Field::LayoutId, id);
        self.keep(Field::LayoutAudio, audio);
        self.keep(Field::LayoutFullMotion, full_motion);
        self.keep(Field::LayoutInteractive, interactive);
        self.keep(Field::LayoutPartialMotion, partial_motion);
        self.keep(Field::LayoutRotating, rotating);
        self.keep(Field::LayoutSpotShareOfVoice, spot_share_of_voice);
        self.keep_any(FACES, faces);
        faces.iter_mut().flatten().for_each(|face| self.keep_of_face(face));
    }

    pub(super) fn keep_of_representation(self, representation: &mut Representation<'_>) {
        let Representation { account, representation_type } = representation;
        self.keep_any(ACCOUNT, account);
        if let Some(Account { name, parent_account_name }) = account {
            self.keep(Field::AccountName, name);
            self.keep(Field::ParentAccountName, parent_account_name);
        }
        self.keep(Field::RepresentationType, representation_type);
    }

    fn keep_of_face(self, face: &mut Face<'_>) {
        let Face { id, width, height, spots } = face;
        self.keep(Field::FaceId, id);
        self.keep(Field::FaceWidth, width);
        self.keep(Field::FaceHeight, height);
        self.keep_any(SPOTS, spots);
        spots.iter_mut().flatten().for_each(|spot| self.keep_of_spot(spot));
    }

    fn keep_of_spot(self, spot: &mut Spot<'_>) {
        let Spot {
            id,
            plant_spot_id,
            spot_share_of_voice,
            spot_length,
            max_frames,
            rotating,
            audio,
            full_motion,
            partial_motion,
            interactive,
            measures,
        } = spot;
        self.keep(Field::FaceSpotId, id);
        self.keep(Field::FaceSpotPlantSpotId, plant_spot_id);
        self.keep(Field::FaceSpotSpotShareOfVoice, spot_share_of_voice);
        self.keep(Field::FaceSpotSpotLength, spot_length);
        self.keep(Field::FaceSpotMaxFrames, max_frames);
        self.keep(Field::FaceSpotRotating, rotating);
        self.keep(Field::FaceSpotAudio, audio);
        self.keep(Field::FaceSpotFullMotion, full_motion);
        self.keep(Field::FaceSpotPartialMotion, partial_motion);
        self.keep(Field::FaceSpotInteractive, interactive);
        self.keep(Field::FaceSpotMeasures, measures);
    }

    fn keep<T>(self, field: Field, value: &mut Option<T>) {
        value.take_if(|_| !self.has(field));
    }

    fn keep_any<T>(self, fields: Self, value: &mut Option<T>) {
        value.take_if(|_| !self.has_any(fields));
    }
}
