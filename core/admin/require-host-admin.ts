import { forbidden } from './admin.js';
import type { AdminCall } from './operation.js';

/** For operations on the host as a whole. @throws AdminError 403 for who does not hold `admin` in `master` */
export function requireHostAdmin({ admin }: Pick<AdminCall, 'admin'>): void {
  if (!admin.isSuperAdmin) throw forbidden();
}
