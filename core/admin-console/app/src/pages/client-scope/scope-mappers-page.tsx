import { useQuery } from '@tanstack/react-query';
import { scopeKey, scopePath } from '../../api/client-scopes.ts';
import { mappersKey, protocolMapperCalls, protocolMappers } from '../../api/protocol-mappers.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { MapperList } from '../../parts/mapper-list.tsx';
import { ScopeFrame, type ScopeSectionProps } from './scope-frame.tsx';
import { texts as scopeTexts } from './texts.ts';

/** The protocol mappers of a client scope. */
export default function ScopeMappersPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ScopeFrame realm={realm} id={id} tab="mappers">
      {(props) => <Mappers {...props} />}
    </ScopeFrame>
  );
}

function Mappers({ realm, scope: { id, protocol }, canManage }: ScopeSectionProps) {
  const texts = useTexts(scopeTexts);
  const { data } = useQuery(serverInfo());
  const owner = { path: scopePath(realm, id), key: scopeKey(realm, id), protocol };
  return (
    <MapperList
      realm={realm}
      query={useQuery(protocolMappers(owner))}
      kinds={data?.protocolMapperTypes[protocol] ?? []}
      calls={protocolMapperCalls(owner)}
      refreshes={mappersKey(owner)}
      canManage={canManage}
      lead={texts.mappersLead}
      empty={texts.noMappers}
    />
  );
}
