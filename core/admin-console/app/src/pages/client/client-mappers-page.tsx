import { useQuery } from '@tanstack/react-query';
import { clientKey, clientPath } from '../../api/clients.ts';
import { mappersKey, protocolMapperCalls, protocolMappers } from '../../api/protocol-mappers.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { MapperList } from '../../parts/mapper-list.tsx';
import { ClientFrame, type ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

/** The client's own protocol mappers. */
export default function ClientMappersPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="mappers">
      {(props) => <Mappers {...props} />}
    </ClientFrame>
  );
}

function Mappers({ realm, client: { id, protocol, access } }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const { data } = useQuery(serverInfo());
  const owner = { path: clientPath(realm, id), key: clientKey(realm, id), protocol };
  return (
    <MapperList
      realm={realm}
      query={useQuery(protocolMappers(owner))}
      kinds={data?.protocolMapperTypes[protocol] ?? []}
      calls={protocolMapperCalls(owner)}
      refreshes={mappersKey(owner)}
      canManage={access.manage}
      lead={texts.mappersLead}
      empty={texts.noMappers}
    />
  );
}
