import './loading.css';

/** That something is on its way. */
export function Loading({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <div className="loading" role="status">
      <span className="loading-bar" aria-hidden="true" />
      {what} …
    </div>
  );
}
