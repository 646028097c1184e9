import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';

// In a file of its own, since schemas are compiled once for all hosts of a process.
test('Admin API: a host without realm files accepts a realm as its first request, and parts of one as its second', async (t) => {
  const host = await startAdministered(t);
  const call = await adminCaller(host);
  const group = { name: 'staff', subGroups: [{ name: 'dev' }] };
  const created = await call('POST', '/realms', { realm: 'first', enabled: true, groups: [group] });
  t.is(created.status, 201, created.text);
  const imported = await call('POST', '/realms/first/partialImport', { groups: [{ ...group, name: 'more' }] });
  t.is(imported.status, 200, imported.text);
});
