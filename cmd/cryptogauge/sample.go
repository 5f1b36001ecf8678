package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

// sampled reads the user's data of --sample, where it was given, into a file of its own, from which workers read them:
// what the file that was named becomes meanwhile changes nothing. A run file says how many they are and which, by a
// digest.
func sampled(ctx context.Context, changed func(string) bool, name string) (*provider.Own, error) {
	if !changed("sample") {
		return nil, nil
	}
	data, err := readSample(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := unchanging(data)
	if err != nil {
		return nil, err
	}
	return provider.ReadOwn(f)
}

func readSample(ctx context.Context, name string) ([]byte, error) {
	if name == "" {
		return nil, language.Errorf("--sample is empty; leave it out to have the data drawn", "--sample 为空；省略即使用随机生成的数据")
	}
	data, err := userfile.Read(ctx, name, provider.MostOwn)
	missing, unreadable := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, userfile.ErrTooLong):
		return nil, language.Errorf("--sample %s has more than %s: give a part of it, as of head -c %d",
			"--sample %s 超过 %s：请只给出其中一部分，例如用 head -c %d 截取", name, language.FormatSize(provider.MostOwn), int64(provider.MostOwn))
	case unreadable:
		return nil, language.Errorf("--sample %s: %w", "--sample %s：%s", name, missing.Err)
	case err != nil:
		return nil, language.Errorf("--sample %w", "--sample %s", err)
	case len(data) == 0:
		return nil, language.Errorf("--sample %s is empty: give a file with data like those that you encrypt", "--sample %s 是空文件：请给出与实际加密内容相似的数据", name)
	}
	return data, nil
}
