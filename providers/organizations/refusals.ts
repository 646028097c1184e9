import { HostError } from '@keyhost/spi';

export const notFound = (what: string) => new HostError('not_found', `${what} not found`, { status: 404 });
export const conflict = (why: string) => new HostError('conflict', why, { status: 409 });
export const badRequest = (why: string) => new HostError('invalid_request', why, { status: 400 });
export const forbidden = (why: string) => new HostError('access_denied', why, { status: 403 });
export const preconditionFailed = () =>
  new HostError('precondition_failed', 'Somebody else has changed the organization', { status: 412 });
