// The command `changeset`, for which the package keyhost, at the top of the repository, is one of the packages. By itself
// it takes the workspaces alone, and npm cannot have the top among them without taking development tools for dependencies.
const packages = require('@manypkg/get-packages');

const workspaces = packages.getPackages;
packages.getPackages = async (folder) => {
  const found = await workspaces(folder);
  return { ...found, packages: [...found.packages, found.root] };
};

require('@changesets/cli/bin.js');
