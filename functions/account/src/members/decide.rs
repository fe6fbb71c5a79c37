//! Rules for changes to members. An organization that has members must have at least one owner.

use store::{Member, MemberId, Permission, Role};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    SetRole(Role),
    Remove {
        /// Whether to also revoke the keys, tile grants, or client links that the member created, or delete
        /// the member's webhooks.
        revokes: bool,
    },
}

/// The reason a change was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The caller isn't an owner. The only change that other members can make is to leave without revoking
    /// anything.
    OwnersOnly,
    /// The organization has no such member.
    Unknown,
    /// The organization would have members but no owner.
    LastOwner,
}

/// Checks a change against the rules. Returns the target member before the change.
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
    let others_remain = match change {
        Change::SetRole(role) => !manages(role),
        Change::Remove { .. } => members.len() > 1,
    };
    if manages(member.role) && is_last && others_remain {
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
            name: None,
            email: None,
            joined_at: Timestamp::from_unix_seconds(0),
        }
    }

    /// A test case: members, caller, target, change, and expected decision.
    type Case<'a> = (&'a [Member], &'a str, &'a str, Change, Result<(), Refused>);

    fn decided(members: &[Member], asker: &str, target: &str, change: Change) -> Result<(), Refused> {
        let id = |name| member(name, Role::Member).id();
        decide(members, &id(asker), &id(target), change).map(|_| ())
    }

    #[test]
    fn last_owner_cannot_leave_other_members() {
        use Change::{Remove, SetRole};
        use Refused::{LastOwner, OwnersOnly, Unknown};
        let (owner, other, plain) =
            (member("o", Role::Owner), member("p", Role::Owner), member("m", Role::Member));
        let leave = Remove { revokes: false };
        let one_member = [owner.clone()];
        let one_owner = [owner.clone(), plain.clone()];
        let two_owners = [plain.clone(), owner, other];
        let ownerless = [plain, member("n", Role::Member)];
        let cases: [Case<'_>; 20] = [
            (&one_member, "o", "o", leave, Ok(())),
            (&one_member, "o", "o", Remove { revokes: true }, Ok(())),
            (&one_member, "o", "o", SetRole(Role::Owner), Ok(())),
            (&one_member, "o", "o", SetRole(Role::Member), Err(LastOwner)),
            (&one_member, "o", "m", leave, Err(Unknown)),
            (&one_owner, "o", "o", leave, Err(LastOwner)),
            (&one_owner, "o", "o", SetRole(Role::Member), Err(LastOwner)),
            (&one_owner, "o", "m", leave, Ok(())),
            (&one_owner, "o", "m", SetRole(Role::Owner), Ok(())),
            (&one_owner, "m", "m", leave, Ok(())),
            (&one_owner, "m", "m", Remove { revokes: true }, Err(OwnersOnly)),
            (&one_owner, "m", "m", SetRole(Role::Owner), Err(OwnersOnly)),
            (&one_owner, "m", "o", leave, Err(OwnersOnly)),
            (&one_owner, "m", "stranger", leave, Err(OwnersOnly)),
            (&one_owner, "stranger", "stranger", leave, Err(Unknown)),
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
