//! The operators of the synthetic inventory. None of them exists.

use crate::random_stream::{Purpose, RandomStream};

/// Who offers displays.
#[derive(Debug)]
pub(super) struct DisplayOperator {
    /// What the names of its displays begin with.
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    /// What it belongs to; empty when it is on its own.
    pub(super) parent: &'static str,
}

/// The operators of one market, the biggest first.
#[derive(Debug)]
pub(super) struct Roster {
    /// Each with the sum of its share and those before it.
    shares: Vec<(&'static DisplayOperator, u64)>,
}

impl Roster {
    /// Chooses the operators of a market: those of the whole country, some of the regional ones, few of the
    /// others.
    pub(super) fn of(seed: u64, market: u64) -> Self {
        let mut random = RandomStream::of(seed, Purpose::Market, market);
        let mut sum = 0;
        let mut shares = Vec::new();
        for (rank, operator) in (1_u64..).zip(&OPERATORS) {
            let is_here = rank <= NATIONWIDE || random.chance(if rank <= REGIONAL { 250 } else { 100 });
            // By Zipf's law, give or take what makes markets differ.
            let share = 1_000_000 / rank * (50 + random.below(100)) / 100;
            if is_here {
                sum += share;
                shares.push((operator, sum));
            }
        }
        Self { shares }
    }

    /// Draws one by their shares.
    pub(super) fn draw(&self, random: &mut RandomStream) -> &'static DisplayOperator {
        let all = self.shares.last().map_or(0, |last| last.1);
        let drawn = random.below(all);
        self.shares[self.shares.partition_point(|(_, sum)| *sum <= drawn)].0
    }
}

/// The rank of the last operator that is everywhere, and of the last one that is in many markets.
const NATIONWIDE: u64 = 5;
const REGIONAL: u64 = 20;

static OPERATORS: [DisplayOperator; 48] = [
    of("FWO", "Ferrowind Outdoor", "Ferrowind Group"),
    of("QLM", "Quillmark Displays", "Quillmark Holdings"),
    of("DMO", "Duskmere Outdoor", "Duskmere Partners"),
    of("FWT", "Ferrowind Transit", "Ferrowind Group"),
    of("QLS", "Quillmark Screens", "Quillmark Holdings"),
    of("GHP", "Gildhaven Posters", "Duskmere Partners"),
    of("NWD", "Nettlewick Displays", ""),
    of("BLO", "Brightloam Outdoor", "Brightloam & Vane"),
    of("SMM", "Saltmarrow Signs", ""),
    of("IQB", "Ironquail Boards", "Ironquail Holdings"),
    of("UWO", "Umberway Outdoor", "Brightloam & Vane"),
    of("TBP", "Thistlebank Places", ""),
    of("HBX", "Harrowbeam Screens", "Ironquail Holdings"),
    of("CLO", "Copperlark Outdoor", ""),
    of("PTD", "Pinnatide Displays", "Pinnatide Group"),
    of("VLW", "Velloway Walls", ""),
    of("RFB", "Rookfield Boards", "Pinnatide Group"),
    of("EVP", "Everpost & Daughters", ""),
    of("JLT", "Juniperline Transit", ""),
    of("OKS", "Oakensign", ""),
    of("MGO", "Mossgrave Outdoor", ""),
    of("LSD", "Larkspar Displays", ""),
    of("WLS", "Wickerlight Screens", ""),
    of("YSB", "Yarrowstead Boards", ""),
    of("ZLP", "Zephyrlot Posters", ""),
    of("AWO", "Amberwhit Outdoor", ""),
    of("BMS", "Boldmere Signs", ""),
    of("CPO", "Cinderpath Outdoor", "Cinderpath Brothers"),
    of("DTB", "Dovetrack Boards", ""),
    of("ELD", "Emberlot Displays", ""),
    of("FMO", "Foxmantle Outdoor", ""),
    of("GWP", "Glasswren Places", ""),
    of("FGP", "Fallowgate Posters", ""),
    of("HWT", "Hazelwarp Transit", ""),
    of("IMB", "Inkmoor Boards", "Cinderpath Brothers"),
    of("KTO", "Kiteholm Outdoor", ""),
    of("LBS", "Lanternbex Screens", ""),
    of("MDW", "Marlduck Walls", ""),
    of("NPO", "Northpelt Outdoor", ""),
    of("OWD", "Osierwend Displays", ""),
    of("PCB", "Plumcairn Boards", ""),
    of("QZL", "Quartzlathe", ""),
    of("RSO", "Russetspool Outdoor", ""),
    of("SKD", "Sedgekettle Displays", ""),
    of("TMP", "Tamarvex Posters", ""),
    of("VBO", "Vetchbridge Outdoor", ""),
    of("WRS", "Wrenshingle Signs", ""),
    of("YMO", "Yewmarl Outdoor", ""),
];

const fn of(code: &'static str, name: &'static str, parent: &'static str) -> DisplayOperator {
    DisplayOperator { code, name, parent }
}
