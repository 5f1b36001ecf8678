package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// openSample reads the user's data of --sample into a file of its own, from which workers read them: what the file
// that was named becomes meanwhile changes nothing. A run file says how many they are and which, by a digest.
func openSample(name string) (*provider.Own, error) {
	data, err := readSample(name)
	if err != nil {
		return nil, err
	}
	f, err := unchanging(data)
	if err != nil {
		return nil, err
	}
	return provider.ReadOwn(f)
}

func readSample(name string) ([]byte, error) {
	if name == "" {
		return nil, language.Errorf("--sample is empty; leave it out to have the data drawn", "--sample 为空；省略即使用随机生成的数据")
	}
	refused := func(err error) error {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err
		}
		return language.Errorf("--sample %s: %w", "--sample %s：%s", name, err)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, refused(err)
	case info.IsDir():
		return nil, language.Errorf("--sample %s is a directory: give a file", "--sample %s 是目录：请给出文件", name)
	case !info.Mode().IsRegular():
		return nil, language.Errorf("--sample %s is no regular file: write what it gives into one, and name that", "--sample %s 不是普通文件：请先将内容写入文件再给出", name)
	case info.Size() > provider.MostOwn:
		return nil, tooMuch(name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, refused(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, provider.MostOwn+1))
	switch {
	case err != nil:
		return nil, refused(err)
	case len(data) == 0:
		return nil, language.Errorf("--sample %s is empty: give a file with data like those that you encrypt", "--sample %s 是空文件：请给出与实际加密内容相似的数据", name)
	case len(data) > provider.MostOwn:
		return nil, tooMuch(name)
	}
	return data, nil
}

func tooMuch(name string) error {
	return language.Errorf("--sample %s has more than %s: give a part of it, as of head -c %d",
		"--sample %s 超过 %s：请只给出其中一部分，例如用 head -c %d 截取", name, language.FormatSize(provider.MostOwn), int64(provider.MostOwn))
}

// sampled reads --sample where it was given; nil where not.
func sampled(changed func(string) bool, name string) (*provider.Own, error) {
	if !changed("sample") {
		return nil, nil
	}
	return openSample(name)
}
