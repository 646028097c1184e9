-- What a realm's file said when it was last applied, as JSON: the common ground of the file and of what admins edited.
-- A table of its own, since an admin's edit writes the whole row of its realm.
CREATE TABLE realm_declarations (
  realm TEXT NOT NULL PRIMARY KEY,
  declared TEXT NOT NULL
);
