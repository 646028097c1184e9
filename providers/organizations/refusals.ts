import { HostError } from '@keyhost/spi';

export const notFound = (thing: string) => new HostError('not_found', `${thing} not found`, { status: 404 });
export const conflict = (message: string) => new HostError('conflict', message, { status: 409 });
export const badRequest = (message: string) => new HostError('invalid_request', message, { status: 400 });
export const forbidden = (message: string) => new HostError('access_denied', message, { status: 403 });
export const preconditionFailed = () =>
  new HostError('precondition_failed', 'Somebody else has changed the organization', { status: 412 });
