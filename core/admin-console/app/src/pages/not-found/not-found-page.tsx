import { Link } from 'wouter';
import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';

export default function NotFoundPage() {
  const { notFound } = useMessages();
  return (
    <Page title={notFound.title} lead={notFound.lead}>
      <p>
        <Link href="/">{notFound.back}</Link>
      </p>
    </Page>
  );
}
