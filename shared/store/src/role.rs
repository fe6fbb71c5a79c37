//! The table of roles: what each lets a member do in the account of their organization.
//!
//! Decided in `docs/decisions/0040-members-and-invitations.md`.

use accounting::UnknownName;
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString};

/// What a member may do in the account of their organization. The first manages most.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, SerializeDisplay, Display, EnumIter, EnumString,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<Role>)]
pub enum Role {
    Owner,
    Member,
}

/// What some roles allow and others do not. Everything else is for all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Minting, seeing and revoking API keys.
    ManageKeys,
    /// Seeing, changing and removing members, and inviting others.
    ManageMembers,
}

/// One row of the table of roles.
struct Row {
    description: &'static str,
    permissions: &'static [Permission],
}

impl Role {
    /// Returns the role's row.
    fn row(self) -> Row {
        use Permission::{ManageKeys, ManageMembers};
        match self {
            Self::Owner => Row {
                description: "manages keys, members and invitations",
                permissions: &[ManageKeys, ManageMembers],
            },
            Self::Member => {
                Row { description: "uses what the organization has, and sees its usage", permissions: &[] }
            }
        }
    }

    /// Says in words what the role allows.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    pub fn may(self, permission: Permission) -> bool {
        self.row().permissions.contains(&permission)
    }
}
