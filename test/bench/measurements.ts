import { pageMeasurement } from './admin/page-of-users.js';
import { signOutMeasurement } from './admin/sign-out.js';
import { besideMeasurement } from './beside/beside.js';
import { failingSpisMeasurement } from './beside/failing-kinds.js';
import { faultsMeasurement } from './beside/faults.js';
import { logins } from './beside/logins.js';
import { pluginReload } from './beside/plugin-reload.js';
import { realmImport } from './beside/realm-import.js';
import { sweep } from './beside/sweep.js';
import { compareMeasurements } from './compare/compare.js';
import type { OidcServer } from './compare/oidc-server.js';
import type { Measurement } from './measurement.js';
import { grpcRows, isolatedRows } from './rows/grpc-rows.js';
import { loginRows } from './rows/login-rows.js';
import { metadataRows } from './rows/metadata-rows.js';
import { rowMeasurement } from './rows/row.js';
import { tokenRows } from './rows/token-rows.js';
import { slowReaderMeasurement } from './slow-reader.js';
import { manyRealmsMeasurement } from './start/many-realms.js';
import { startMeasurement } from './start/start.js';

/** Everything that the bench measures, in the order of its table. @param others servers to compare with */
export function measurements(others: readonly OidcServer[]): Measurement[] {
  return [
    ...[...metadataRows(), ...tokenRows(), ...loginRows(), ...grpcRows(), ...isolatedRows()].map(rowMeasurement),
    startMeasurement,
    manyRealmsMeasurement,
    pageMeasurement,
    signOutMeasurement,
    ...[logins, realmImport, pluginReload, sweep()].map(besideMeasurement),
    faultsMeasurement,
    failingSpisMeasurement,
    slowReaderMeasurement,
    ...compareMeasurements(others),
  ];
}
