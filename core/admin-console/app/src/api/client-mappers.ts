import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { CLIENT_READERS, CLIENT_WRITERS, clientKey, clientPath } from './clients.ts';
import type { Mapper, MapperRequest } from './mappers.ts';
import { request, requestTagged } from './request.ts';

/** Keycloak's ProtocolMapperRepresentation. */
interface ProtocolMapper {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  readonly protocolMapper: string;
  readonly config?: Readonly<Record<string, string>>;
}

/** A client with its protocol. */
interface ClientRef {
  readonly realm: string;
  /** Its internal ID. */
  readonly id: string;
  readonly protocol: string;
}

const pathOf = ({ realm, id }: ClientRef, below: string) => `${clientPath(realm, id)}/protocol-mappers/${below}`;
const mapperOf = ({ id, name, protocolMapper: kind, config = {} }: ProtocolMapper): Mapper => ({
  id,
  name,
  kind,
  config,
});
const bodyOf = ({ protocol }: ClientRef, { name, kind, config }: MapperRequest) => ({
  name,
  protocol,
  protocolMapper: kind,
  config,
});
export const clientMappersKey = (realm: string, id: string) => [...clientKey(realm, id), 'mappers'] as const;

/** The client's own protocol mappers, without those of its client scopes. */
export function mappersOfClient(clientRef: ClientRef) {
  return queryOptions({
    queryKey: clientMappersKey(clientRef.realm, clientRef.id),
    queryFn: async ({ signal }) => {
      const path = pathOf(clientRef, `protocol/${encodeSegment(clientRef.protocol)}`);
      return (await request<readonly ProtocolMapper[]>(path, { roles: CLIENT_READERS, signal })).map(mapperOf);
    },
  });
}

/** The operations on these mappers. */
export function clientMapperCalls(place: ClientRef) {
  const mapperPath = (id: string) => pathOf(place, `models/${encodeSegment(id)}`);
  const roles = CLIENT_WRITERS;
  return {
    read: async (id: string) => {
      const { body, tag } = await requestTagged<ProtocolMapper>(mapperPath(id), { roles: CLIENT_READERS });
      return { body: mapperOf(body), tag };
    },
    create: (mapper: MapperRequest) =>
      request<void>(pathOf(place, 'models'), { method: 'POST', body: bodyOf(place, mapper), roles }),
    change: (mapper: Mapper, ifMatch: string | undefined) => {
      const body = { id: mapper.id, ...bodyOf(place, mapper) };
      return request<void>(mapperPath(mapper.id), { method: 'PUT', body, ifMatch, roles });
    },
    remove: (id: string) => request<void>(mapperPath(id), { method: 'DELETE', roles }),
  };
}
