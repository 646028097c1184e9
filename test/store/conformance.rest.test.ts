import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import { testPostgresqlSerially } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { registerConformanceTests } from './conformance.js';

registerConformanceTests(testPostgresqlSerially, 'postgresql', async () =>
  openPostgresqlStore(await (await sharedPostgresql()).database()),
);
