import { describeTranscripts } from './play-transcripts.ts';
import { honoVariants } from './variants.ts';

for (const variant of honoVariants) describeTranscripts(variant);
