//! Handwritten inputs: places in the sample as people write them, and inputs that don't refer to a place in
//! the sample.

use dataset::PlaceId;
use serde_json::{Value, json};

/// The name, the street address, and the ZIP code of a place in the sample.
type Stored = (&'static str, &'static str, &'static str);

/// A name and a one-line address, with the place that they refer to.
const LINES: [(&str, &str, Stored); 44] = [
    (
        "Starbucks",
        "1101 Madison St Ste 301, Seattle, WA 98104-1306",
        ("Starbucks 1101 Madison St", "1101 Madison Street", "98104"),
    ),
    (
        "Starbucks Coffee",
        "1101 madison seattle wa",
        ("Starbucks 1101 Madison St", "1101 Madison Street", "98104"),
    ),
    (
        "Dollar General #4410",
        "346 PA-940, Blakeslee, PA 18610",
        ("Dollar General Blakeslee", "346 State Route 940", "18610"),
    ),
    (
        "FAMILY DOLLAR",
        "1500 US-281, Brownsville, Texas 78520",
        ("Family Dollar Brownsville", "1500 Us Hwy 281", "78520"),
    ),
    ("Dunkin Donuts", "2527 Rte 6\nHawley, PA 18428-1020", ("Dunkin'", "2527 Route 6", "18428")),
    (
        "Dollar General",
        "5778 Hwy 412 West Lexington TN 38351",
        ("Dollar General Lexington", "5778 Highway 412 W", "38351"),
    ),
    (
        "Costco Wholesale",
        "1320 South State Rt. 59, Naperville IL",
        ("Costco Naperville", "1320 S Route 59", "60564"),
    ),
    (
        "Walgreens Pharmacy",
        "5434 State Hwy 78, Sachse, TX, 75048, USA",
        ("Walgreens", "5434 Highway 78", "75048"),
    ),
    ("CVS", "3097 Steinway Street, Astoria NY 11103", ("CVS Pharmacy", "30-97 Steinway St.", "11103")),
    (
        "Crumbl Cookies",
        "4505 South Medford Drive #313, Lufkin, TX 75901",
        ("Crumbl Lufkin", "4505 S Medford Dr, Ste 313", "75901"),
    ),
    (
        "Little Caesars Pizza",
        "5401 Kenwood Dr., Ste. 119, Rowlett TX 75088",
        ("Little Caesars Rowlett", "5401 Kenwood Dr Suite 119", "75088"),
    ),
    (
        "Dollar Tree",
        "293 Route 206, Unit 15-B, Flanders, NJ 7836",
        ("Dollar Tree Flanders", "293 US Hwy 206 Unit 15B", "07836"),
    ),
    (
        "dollar tree",
        "2721 S College Avenue, Suite 180, Ft Collins, CO 80525",
        ("Dollar Tree Fort Collins", "2721 S. College Ave. #180", "80525"),
    ),
    (
        "McDonalds",
        "1861 South San Jacinto Avenue, San Jacinto CA",
        ("McDonald's SAN JACINT", "1861 S San Jacinto Ave (Walmart #5425)", "92583"),
    ),
    (
        "Pizza Hut",
        "1120 West Third Street, Elk City, Oklahoma",
        ("Pizza Hut Elk City", "1120 W 3rd St.", "73644"),
    ),
    ("Carls Jr", "1868 West 1800 North, Clinton UT 84015", ("Carl's Jr. Clinton", "1868 W 1800 N", "84015")),
    (
        "CVS/pharmacy",
        "3401 South Collins, Arlington, TX 76014",
        ("CVS Pharmacy", "3401 S. Collins St.", "76014"),
    ),
    (
        "McDonald's",
        "2468 South Airport Road West, Traverse City, MI",
        ("McDonald's TRAVRS-AIRPORT", "2468 S Airport Rd W", "49684"),
    ),
    (
        "Bank of America",
        "250 West Mills St., Columbus, N.C. 28722",
        ("Bank of America Columbus Plaza", "250 W Mills Street", "28722"),
    ),
    (
        "Little Caesar's",
        "812 S. Frazier, Conroe, TX 77301-3350",
        ("Little Caesars Conroe", "812 S FRAZIER STREET", "77301"),
    ),
    (
        "Walgreens",
        "116 North Military Avenue Green Bay Wisconsin 54303",
        ("Walgreens", "116 N Military Ave", "54303"),
    ),
    (
        "Dollar General",
        "8702 E Dr MLK, Tampa, FL 33610",
        ("Dollar General Tampa", "8702 E Dr. Martin Luther King", "33610"),
    ),
    (
        "Family Dollar",
        "620 MLK Jr. Blvd., Corsicana TX 75110",
        ("Family Dollar Corsicana", "620 Martin Luther King Jr Blvd", "75110"),
    ),
    (
        "Auto Zone",
        "2790 W. MLK Jr Boulevard, Fayetteville, AR",
        ("AutoZone", "2790 W Martin Luther King Blvd", "72704"),
    ),
    (
        "AutoZone Auto Parts",
        "2516 MLK Jr Drive SW, Atlanta GA 30311",
        ("AutoZone", "2516 Martin L King Jr Dr SW", "30311"),
    ),
    ("Family Dollar Stores", "3120 14th, Plano, TX", ("Family Dollar Plano", "3120 14th Street", "75074")),
    (
        "Mc Donalds",
        "435 East 23rd Street, Fremont, NE 68025",
        ("McDonald's FREMONT-E. 23RDN", "435 E 23rd St", "68025"),
    ),
    (
        "Ace Hardware",
        "441 E. 3rd St Emporium PA 15834",
        ("Ace Hardware Emporium", "441 East 3rd Street", "15834"),
    ),
    (
        "KFC",
        "2300 S.W. 336th Street, Federal Way, WA 98023",
        ("KFC Federal Way", "2300 SW 336th St", "98023"),
    ),
    (
        "Kentucky Fried Chicken",
        "2300 Southwest 336 St., Federal Way",
        ("KFC Federal Way", "2300 SW 336th St", "98023"),
    ),
    (
        "Pizza Hut",
        "2016 Fifth Avenue South, Birmingham, AL",
        ("Pizza Hut Birmingham", "2016 5th Ave S.", "35233"),
    ),
    (
        "Dunkin'",
        "843 South St. Marys Street, St. Marys, PA 15857",
        ("Dunkin'", "843 S Saint Marys St", "15857"),
    ),
    (
        "CVS Pharmacy",
        "30 South Fairview Avenue, St Paul, MN 55105",
        ("CVS Pharmacy", "30 Fairview Ave S", "55105"),
    ),
    (
        "Crumbl",
        "12404 Tesson Ferry Rd, Saint Louis, MO 63128",
        ("Crumbl St. Louis", "12404 Tesson Ferry, Ste 2", "63128"),
    ),
    (
        "Home Depot",
        "937 N Westridge Dr, St. George, Utah 84770",
        ("The Home Depot West St George", "937 North Westridge Drive", "84770"),
    ),
    (
        "Publix Super Market",
        "250 Plaza Boulevard, St Augustine FL",
        ("Publix Treaty Oaks", "250 Plaza Blvd", "32086"),
    ),
    (
        "Target",
        "250 Northwest 13th St, Gainesville, FL 32601-4031",
        ("Target Gainesville", "250 NW 13th Street", "32601"),
    ),
    (
        "7-11",
        "10128 North Wadsworth Parkway, Westminster, CO 80021",
        ("7-Eleven 7-11 Str   10128 N Wadsworth Pkwy", "10128 N WADSWORTH PKWY", "80021"),
    ),
    ("KFC", "32475 SW Hwy 43, Thomasville, AL", ("KFC Thomasville", "32475 Highway 43 SW", "36784")),
    (
        "Sonic",
        "4727 Altama Av, Brunswick, Georgia",
        ("Sonic Drive-In Brunswick", "4727 Altama Avenue", "31520"),
    ),
    (
        "Chipotle Mexican Grill",
        "2571 Sidney Marcus Boulevard Northeast, Atlanta, GA 30324",
        ("Chipotle", "2571 Sidney Marcus Blvd NE", "30324"),
    ),
    ("Taco Bell", "2246 South Grand Avenue Santa Ana", ("Taco Bell", "2246 S Grand Ave.", "92705")),
    (
        "Starbucks",
        "212 S Grand Blvd, Saint Louis, MO",
        ("Starbucks Grand Ave & Forest Park", "212 South Grand Boulevard", "63103"),
    ),
    ("KFC", "300 Hwy 79 S Henderson TX 75654", ("KFC Henderson", "300 Highway 79 South", "75654")),
];

/// Names and addresses that don't refer to a place in the sample, each with the reason.
const NONE: [(&str, &str, &str); 36] = [
    ("another number in the street", "Starbucks", "1103 Madison St, Seattle, WA 98104"),
    ("another number in the street", "Walgreens", "5436 Highway 78, Sachse, TX 75048"),
    ("another number in the street", "Dollar General", "364 State Route 940, Blakeslee, PA 18610"),
    ("another number in the street", "CVS", "30-79 Steinway St, Astoria, NY 11103"),
    ("another number in the street", "AutoZone", "2970 W Martin Luther King Blvd, Fayetteville, AR 72704"),
    ("a letter after the number", "KFC", "2300B SW 336th Pl, Federal Way, WA 98023"),
    ("the same street in another city", "Dunkin'", "12 Washington St, Boston, MA"),
    ("the same street in another city", "CVS Pharmacy", "1 Wall St, Nashua, NH 03060"),
    ("the same street in another city", "Bank of America", "560 Main St, Worcester, MA 01608"),
    ("the same street in another city", "Dollar General", "410 Main St, Roanoke, VA"),
    ("the same street in another city", "AutoZone", "1205 S Main St, Dayton, OH 45409"),
    ("the same street in another state", "Dollar General", "801 S Main St, Winnsboro, LA"),
    ("the same street in another state", "Starbucks", "1101 Madison St, Seattle, OR"),
    ("the other end of the street", "AutoZone", "1205 N Main St, Bryan, OH 43506"),
    ("the other end of the street", "Pizza Hut", "1120 E 3rd St, Elk City, OK 73644"),
    ("the other end of the street", "KFC", "2300 NW 336th St, Federal Way, WA 98023"),
    ("the avenue instead of the street", "Family Dollar", "3120 14th Ave, Plano, TX 75074"),
    ("the street instead of the avenue", "Pizza Hut", "2016 5th St S, Birmingham, AL 35233"),
    ("another numbered street", "Pizza Hut", "2016 6th Ave S, Birmingham, AL 35233"),
    ("another highway", "Dollar General", "346 State Route 903, Blakeslee, PA 18610"),
    ("another shop at the address", "Publix", "780 Old Hickory Blvd, Brentwood, TN 37027"),
    ("another shop at the address", "Walgreens", "26650 Ford Rd, Dearborn Heights, MI 48127"),
    ("another shop at the address", "Kroger", "55 Graceland Blvd, Columbus, OH 43214"),
    ("another shop at the address", "Kroger", "3535 S La Cienega Blvd, Los Angeles, CA 90016"),
    ("another shop at the address", "Taco Bell", "2300 SW 336th St, Federal Way, WA 98023"),
    ("another shop in the mall", "Sephora", "3000 Grapevine Mills Pkwy, Grapevine, TX 76051"),
    ("a brand that the sample lacks", "Peet's Coffee", "1101 Madison St, Seattle, WA 98104"),
    ("a brand that the sample lacks", "Subway", "300 Highway 79 S, Henderson, TX 75654"),
    ("a brand that the sample lacks", "Burger King", "435 E 23rd St, Fremont, NE 68025"),
    ("a shop inside another shop", "Peet's Coffee at Target", "250 NW 13th St, Gainesville, FL 32601"),
    ("a department", "Target Optical", "250 NW 13th St, Gainesville, FL 32601"),
    ("a department", "Costco Gas", "1320 S Route 59, Naperville, IL 60564"),
    ("a closed shop", "Starbucks (closed)", "1101 Madison St, Seattle, WA 98104"),
    ("a brand with a similar name", "Dollar Tree", "620 Martin Luther King Jr Blvd, Corsicana, TX 75110"),
    ("a brand with a similar name", "Family Dollar", "346 State Route 940, Blakeslee, PA 18610"),
    (
        "a shop before the address, instead of the name",
        "",
        "Peet's Coffee, 1101 Madison St, Seattle, WA 98104",
    ),
];

/// Returns the inputs that refer to a place, each with the place's ID.
pub(super) fn with_place() -> Vec<(Value, PlaceId)> {
    let lines =
        LINES.into_iter().map(|(name, address, place)| (json!({ "name": name, "address": address }), place));
    let target = ("Target Gainesville", "250 NW 13th Street", "32601");
    let alki = ("Starbucks Alki Ave.", "2742 Alki Ave SW", "98116");
    let dealer = ("BeMobile Princeton", "219 South Main Street", "61356");
    let peoria = ("McDonald's PEORIA/SCENIC", "2320 W War Memorial Drive", "61614");
    let members = [
        (json!({ "address": "219 S. Main, Princeton, IL 61356", "brand": "Verizon" }), dealer),
        (
            json!({ "address": "219 S Main St", "city": "Princeton", "state": "Illinois", "name": "Be Mobile" }),
            dealer,
        ),
        (json!({ "address": "219 S Main St", "zip_code": "61356-1234" }), dealer),
        (json!({ "brand": "Target", "address": "250 NW 13 St.", "zip_code": "32601" }), target),
        (json!({ "name": "Target", "location": { "lat": 29.6536, "lon": -82.3383 } }), target),
        (json!({ "address": "TARGET, 250 NW 13TH ST, GAINESVILLE, FL" }), target),
        (
            json!({ "name": "Starbucks", "address": "2742 Alki Avenue Southwest", "city": "Seatle", "state": "WA", "zip_code": "98116" }),
            alki,
        ),
        (json!({ "name": "Starbuks", "address": "2742 SW Alki Ave", "city": "Seattle" }), alki),
        (json!({ "name": "Starbucks", "location": { "lat": 47.5786, "lon": -122.4112 } }), alki),
        (
            json!({ "name": "Starbucks", "address": "2742 Alki Ave SW", "zip_code": "98126", "city": "Seattle" }),
            alki,
        ),
        (json!({ "name": "McDonald's", "address": "War Memorial Dr W 2320, Peoria, IL" }), peoria),
        (
            json!({ "name": "McDonald’s", "address": "2320 W. War Memorial Dr.", "city": "PEORIA", "state": "il" }),
            peoria,
        ),
    ];
    let id = |(name, street, zip): Stored| PlaceId::of(name, street, zip);
    lines.chain(members).map(|(input, place)| (input, id(place))).collect()
}

/// Returns the inputs that don't refer to a place in the sample, each with the reason.
pub(super) fn without_place() -> Vec<(Value, &'static str)> {
    let lines = NONE.into_iter().map(|(reason, name, address)| match name {
        "" => (json!({ "address": address }), reason),
        _ => (json!({ "name": name, "address": address }), reason),
    });
    let members = [
        (json!({ "address": "780 Old Hickory Blvd, Brentwood, TN 37027" }), "two shops at the address"),
        (json!({ "address": "300 Hwy 79 S, Henderson, TX" }), "two shops at the address"),
        (json!({ "name": "Starbucks", "zip_code": "98104" }), "no address"),
        (json!({ "name": "Starbucks", "city": "Forsyth", "state": "GA" }), "no address"),
        (json!({ "name": "KFC", "location": { "lat": 47.3046, "lon": -122.3633 } }), "400 m from the point"),
        (
            json!({ "name": "Wendy's", "location": { "lat": 47.30092, "lon": -122.36322 } }),
            "another shop at the point",
        ),
        (json!({ "location": { "lat": 47.30092, "lon": -122.36322 } }), "a point without a name"),
        (
            json!({ "brand": "Walmart", "name": "Target", "address": "250 NW 13th St, Gainesville, FL" }),
            "the name of another brand",
        ),
        (
            json!({ "name": "KFC", "address": "2300 SW 336th St", "city": "Tacoma", "zip_code": "98402" }),
            "another city and ZIP code",
        ),
        (
            json!({ "name": "Starbucks", "address": "Madison St, Seattle, WA 98104" }),
            "a street without a number",
        ),
    ];
    lines.chain(members).collect()
}
