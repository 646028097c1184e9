// The command `changeset`, with the package keyhost at the top of the repository as one of the packages. On its own,
// the tool takes only the workspaces. npm cannot make the top one of them without treating development tools as
// dependencies.
const packages = require('@manypkg/get-packages');

const workspaces = packages.getPackages;
packages.getPackages = async (folder) => {
  const found = await workspaces(folder);
  return { ...found, packages: [...found.packages, found.root] };
};

require('@changesets/cli/bin.js');
