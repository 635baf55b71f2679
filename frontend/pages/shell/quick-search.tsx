import { useNavigate } from '@tanstack/react-router';
import { SearchField } from '../parts/search-field.tsx';

/** Leads to the datasets of which names or descriptions have some words. */
export function QuickSearch() {
  const navigate = useNavigate();
  const look = (q: string) => void (q === '' || navigate({ to: '/datasets', search: { q } }));
  return <SearchField label="Find datasets" placeholder="Words of their names" value="" onSearch={look} />;
}
