/**
 * Script of the init container of a bundle (docs/server/orchestrator.md#bundle): joins the parts, checks them, unpacks them and installs
 * the packages of the lock file. It may run again after a failure. Volumes are mounted below the application directory,
 * which is read-only then, so their places are made here.
 */
export const unpackScript = `set -eu
cd "$APP_DIR"
cat "$BUNDLE_DIR"/part-* > .bundle.tar.gz
echo "$BUNDLE_SHA256  .bundle.tar.gz" | sha256sum -c - > /dev/null
tar -xzf .bundle.tar.gz --no-same-owner
rm .bundle.tar.gz
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier --cache "\${TMPDIR:-/tmp}/npm"
mkdir -p .svc "$FILES_DIR"
`;
