import { describeTranscripts } from './play-transcripts.ts';
import { localVariants } from './variants.ts';

for (const variant of localVariants) describeTranscripts(variant);
