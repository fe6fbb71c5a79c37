//! Member roles and their permissions.
//!
//! See `docs/decisions/0040-members-and-invitations.md`.

use accounting::UnknownName;
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString};

/// A member's role in an organization. Roles with more permissions come first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, SerializeDisplay, Display, EnumIter, EnumString,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Role>)]
pub enum Role {
    Owner,
    Member,
}

/// A permission that only some roles have. Anything else is allowed for all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Create, list, and revoke API keys.
    ManageKeys,
    /// View what members have created, change and remove members, and invite people.
    ManageMembers,
    /// Revoke other members' tile grants, and create tile grants that include visits.
    ManageTileGrants,
    /// Create, list, change, and delete webhooks, view their deliveries, and request redeliveries.
    ManageWebhooks,
}

/// A row in the table of roles.
struct Row {
    description: &'static str,
    permissions: &'static [Permission],
}

impl Role {
    fn row(self) -> Row {
        use Permission::{ManageKeys, ManageMembers, ManageTileGrants, ManageWebhooks};
        match self {
            Self::Owner => Row {
                description: "manages keys, webhooks, members, invitations, and everyone's tile grants",
                permissions: &[ManageKeys, ManageMembers, ManageTileGrants, ManageWebhooks],
            },
            Self::Member => {
                Row { description: "uses the organization's products, and views its usage", permissions: &[] }
            }
        }
    }

    /// Describes the role's permissions in words.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    pub fn may(self, permission: Permission) -> bool {
        self.row().permissions.contains(&permission)
    }
}
