//! Who may change what in a list of members: an organization of several always keeps an owner.

use store::{Member, MemberId, Permission, Role};

/// What is to become of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    SetRole(Role),
    Remove {
        /// Whether what they made is to be revoked too.
        revokes: bool,
    },
}

/// Why a change is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Who asks is no owner, and asks for more than to leave.
    OwnersOnly,
    /// There is no such member.
    Unknown,
    /// Nobody would be left who manages the organization.
    LastOwner,
}

/// Decides on a change of a member, and returns the member as they are.
pub(super) fn decide<'a>(
    members: &'a [Member],
    asker: &MemberId,
    target: &MemberId,
    change: Change,
) -> Result<&'a Member, Refused> {
    let find = |id: &MemberId| members.iter().find(|member| member.id() == *id);
    let manages = |role: Role| role.may(Permission::ManageMembers);
    let only_leaves = change == Change::Remove { revokes: false } && asker == target;
    if !only_leaves && find(asker).is_none_or(|asker| !manages(asker.role)) {
        return Err(Refused::OwnersOnly);
    }
    let member = find(target).ok_or(Refused::Unknown)?;
    let is_last = members.iter().all(|other| !manages(other.role) || other.id() == *target);
    let leaves_others_alone = match change {
        Change::SetRole(role) => !manages(role),
        Change::Remove { .. } => members.len() > 1,
    };
    if manages(member.role) && is_last && leaves_others_alone {
        return Err(Refused::LastOwner);
    }
    Ok(member)
}

#[cfg(test)]
mod tests {
    use accounting::Timestamp;
    use store::Subject;

    use super::*;

    fn member(name: &str, role: Role) -> Member {
        Member {
            subject: Subject::new("https://issuer.example", name),
            role,
            email: None,
            joined_at: Timestamp::from_unix_seconds(0),
        }
    }

    /// The members, who asks, for whom, for what, and what is decided.
    type Case<'a> = (&'a [Member], &'a str, &'a str, Change, Result<(), Refused>);

    /// Decides on a change that one asks for another, by their names.
    fn decided(members: &[Member], asker: &str, target: &str, change: Change) -> Result<(), Refused> {
        let id = |name| member(name, Role::Member).id();
        decide(members, &id(asker), &id(target), change).map(|_| ())
    }

    #[test]
    fn keeps_an_owner_while_others_are_there_and_lets_everybody_else_leave() {
        use Change::{Remove, SetRole};
        use Refused::{LastOwner, OwnersOnly, Unknown};
        let (owner, other, plain) =
            (member("o", Role::Owner), member("p", Role::Owner), member("m", Role::Member));
        let leave = Remove { revokes: false };
        let alone = [owner.clone()];
        let one_owner = [owner.clone(), plain.clone()];
        let two_owners = [plain.clone(), owner, other];
        let ownerless = [plain, member("n", Role::Member)];
        let cases: [Case<'_>; 20] = [
            (&alone, "o", "o", leave, Ok(())),
            (&alone, "o", "o", Remove { revokes: true }, Ok(())),
            (&alone, "o", "o", SetRole(Role::Owner), Ok(())),
            (&alone, "o", "o", SetRole(Role::Member), Err(LastOwner)),
            (&alone, "o", "m", leave, Err(Unknown)),
            (&one_owner, "o", "o", leave, Err(LastOwner)),
            (&one_owner, "o", "o", SetRole(Role::Member), Err(LastOwner)),
            (&one_owner, "o", "m", leave, Ok(())),
            (&one_owner, "o", "m", SetRole(Role::Owner), Ok(())),
            (&one_owner, "m", "m", leave, Ok(())),
            (&one_owner, "m", "m", Remove { revokes: true }, Err(OwnersOnly)),
            (&one_owner, "m", "m", SetRole(Role::Owner), Err(OwnersOnly)),
            (&one_owner, "m", "o", leave, Err(OwnersOnly)),
            (&one_owner, "m", "nobody", leave, Err(OwnersOnly)),
            (&one_owner, "nobody", "nobody", leave, Err(Unknown)),
            (&two_owners, "o", "o", leave, Ok(())),
            (&two_owners, "o", "p", leave, Ok(())),
            (&two_owners, "p", "o", SetRole(Role::Member), Ok(())),
            (&ownerless, "m", "m", leave, Ok(())),
            (&ownerless, "n", "m", leave, Err(OwnersOnly)),
        ];
        for (members, asker, target, change, expected) in cases {
            assert_eq!(decided(members, asker, target, change), expected, "{asker} {target} {change:?}");
        }
    }
}
