//! Shows in a record of the sample what it does not know: whoever sees one sees every member that there is.
//!
//! What an operator imports is not touched by this; its records lack what the operator lacks.

use dataset::inventory::record::{
    Account, Face, Layout, Location, Named, PlaceRef, Record, Representation, Spot, Text,
};

/// Returns a record with the members that it lacks: empty texts and lists, and numbers that are null.
///
/// Those that every display has, and flags, are left to whoever [completes](crate::displays::complete) it.
pub(super) fn with_every_member<'a>(record: &Record<'a>) -> Record<'a> {
    let mut record = record.clone();
    text(&mut record.media_name);
    let named = [
        &mut record.illumination_type,
        &mut record.classification_type,
        &mut record.media_type,
        &mut record.placement_type,
        &mut record.status_type,
    ];
    named.into_iter().for_each(name);
    let built = record.construction.get_or_insert_default().construction_type.get_or_insert_default();
    text(&mut built.id);
    text(&mut built.name);
    locate(record.location.get_or_insert_default());
    record.layouts.get_or_insert_default().iter_mut().for_each(lay_out);
    record.representations.get_or_insert_default().iter_mut().flatten().for_each(represent);
    let PlaceRef { place_id, place_name } = record.place.get_or_insert_default();
    text(place_id);
    text(place_name);
    record
}

fn locate(location: &mut Location<'_>) {
    let Location {
        state,
        county_id,
        county_name,
        dma_id,
        dma_name,
        cbsa_code,
        cbsa_name,
        zip_code,
        primary_artery,
        geometry: _,
        geo_point,
        places,
        place_types,
        orientation: _,
    } = location;
    let areas = [state, county_id, county_name, dma_id, dma_name, cbsa_code, cbsa_name, zip_code];
    areas.into_iter().chain([primary_artery, geo_point]).for_each(text);
    places.get_or_insert_default().iter_mut().for_each(|place| text(&mut place.place_name));
    name(place_types);
}

fn lay_out(layout: &mut Layout<'_>) {
    text(&mut layout.spot_share_of_voice);
    for Face { spots, .. } in layout.faces.get_or_insert_default() {
        for spot in spots.get_or_insert_default() {
            let Spot { plant_spot_id, spot_share_of_voice, spot_length, max_frames, measures, .. } = spot;
            [plant_spot_id, spot_share_of_voice, max_frames].into_iter().for_each(text);
            spot_length.get_or_insert_default();
            measures.get_or_insert_default();
        }
    }
}

fn represent(representation: &mut Representation<'_>) {
    let Representation { account, representation_type } = representation;
    let Account { name: account, parent_account_name } = account.get_or_insert_default();
    text(account);
    text(parent_account_name);
    name(representation_type);
}

fn name(named: &mut Option<Named<'_>>) {
    text(&mut named.get_or_insert_default().name);
}

fn text(text: &mut Option<Text<'_>>) {
    text.get_or_insert_default();
}
